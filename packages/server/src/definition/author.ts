/** The definition API of extension API servers: that of this room without the options of `Upstream…` inputs. */
import type { TSchema } from 'typebox';
import { type ApiDefinition, type ApiInput, defineApi as defineAnyApi } from './api.ts';
import type { ObjectIn, Versions } from './conversion.ts';
import {
  defineResource as defineAnyResource,
  type ObjectsByVersion,
  type ResourceDefinition,
  type ResourceInput,
} from './resource.ts';
import type { ActionBodies } from './subresource.ts';
import {
  version as anyVersion,
  type ObjectOf,
  type VersionDefinition,
  type VersionInput,
} from './version.ts';

/** One API group with its resources. */
export function defineApi(input: ApiInput): ApiDefinition {
  return defineAnyApi(input);
}

/** One kind with its versions, of which one is stored. */
export function defineResource<
  const V extends Versions,
  const Stored extends keyof V & string = keyof V & string,
  Bodies extends ActionBodies = ActionBodies,
>(
  input: ResourceInput<V, Stored, Bodies>,
): ResourceDefinition<ObjectIn<V[Stored]>, ObjectsByVersion<V>> {
  return defineAnyResource<V, Stored, Bodies>(input);
}

/** One version of a resource. The schema is the type: columns and hooks get the type of object that it describes. */
export function version<
  Spec extends TSchema | undefined = undefined,
  Status extends TSchema | undefined = undefined,
  More extends Readonly<Record<string, TSchema>> | undefined = undefined,
>(
  definition: {
    readonly spec?: Spec;
    readonly status?: Status;
    readonly fields?: More;
    readonly description?: string;
  } & VersionInput<NoInfer<ObjectOf<Spec, Status, More>>>,
): VersionDefinition<ObjectOf<Spec, Status, More>> {
  return anyVersion<Spec, Status, More>(definition);
}
