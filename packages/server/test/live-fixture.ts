/** A resource that comes while a server runs, in two versions that call one number by two names. */
import type { KubeObject } from '@tributary/apimachinery';
import type { Conversion, RemoteConversion } from '../src/definition/conversion.ts';
import { defineResource, type Gate } from '../src/definition/resource.ts';
import type { ScalePaths, VersionSubresourcesInput } from '../src/definition/subresource.ts';
import { version } from '../src/definition/version.ts';
import type { LiveResource } from '../src/routing/live/live-resources.ts';
import type { JsonSchema } from '../src/schema/json-schema.ts';
import { rootSchema } from '../src/schema/object-schema.ts';

export const LIVE_GROUP = 'live.example.com';

export type Gadget = KubeObject & {
  spec?: { size?: number; width?: number; colour?: string; replicas?: number };
  status?: { phase?: string; replicas?: number };
};

export interface GadgetOptions {
  readonly group?: string;
  readonly kind?: string;
  readonly plural?: string;
  readonly conversion?: Conversion | RemoteConversion;
  readonly storageVersion?: 'v1' | 'v2';
  /** Default: both. */
  readonly served?: readonly string[];
  /** Of the fields of `spec`, beside those that are always there. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly subresources?: Readonly<Record<string, VersionSubresourcesInput>>;
  readonly selectable?: boolean;
  readonly gate?: Gate;
  readonly create?: () => Promise<void>;
}

const SCALE: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
};

/** Field `size` of v1 is `width` in v2. */
export function renamed(object: KubeObject, to: string): KubeObject {
  const { spec, ...rest } = object as Gadget;
  // A merged object may contain nulls.
  const { size, width, ...others } = spec ?? {};
  const number = size ?? width;
  const name = to.endsWith('/v1') ? 'size' : 'width';
  const next = number === undefined ? others : { ...others, [name]: number };
  return { ...rest, apiVersion: to, spec: next } as KubeObject;
}

/** There are two versions, so that there is one way from each. */
const toOther: Conversion['toStorage'] = (object) => {
  const other = object.apiVersion.endsWith('/v1') ? 'v2' : 'v1';
  const { apiVersion: _to, kind: _kind, ...content } = renamed(object, `${LIVE_GROUP}/${other}`);
  return content;
};

export const localConversion: Conversion = { toStorage: toOther, fromStorage: toOther };

export function gadget(options: GadgetOptions = {}): LiveResource {
  const { storageVersion = 'v1', conversion = localConversion, properties = {} } = options;
  const { create, gate } = options;
  const other = storageVersion === 'v1' ? 'v2' : 'v1';
  const one = (name: 'v1' | 'v2', number: string) =>
    version({
      served: options.served?.includes(name) ?? true,
      schema: rootSchema(gadgetSchema(number, properties)),
      subresources: options.subresources?.[name] ?? { status: true, scale: SCALE },
      columns: [
        { name: number, type: 'integer', cell: (object) => numberOf(object as Gadget, number) },
      ],
      selectableFields: options.selectable ? [`spec.${number}`] : [],
    });
  return {
    group: options.group ?? LIVE_GROUP,
    definition: defineResource({
      kind: options.kind ?? 'Gadget',
      plural: options.plural ?? 'gadgets',
      scope: 'Namespaced',
      versions: { v1: one('v1', 'size'), v2: one('v2', 'width') },
      storageVersion,
      conversions: { [other]: conversion } as never,
      validatesServedVersion: true,
      defaultsStored: true,
      ...(gate && { gate }),
      ...(create && {
        admit: {
          create: async () => {
            await create();
            return { allowed: true };
          },
        },
      }),
    }),
  };
}

function numberOf({ spec }: Gadget, name: string): number | null {
  return (spec as Record<string, number> | undefined)?.[name] ?? null;
}

function gadgetSchema(
  number: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          [number]: { type: 'integer', minimum: 0 },
          colour: { type: 'string' },
          replicas: { type: 'integer' },
          ...properties,
        },
      },
      status: {
        type: 'object',
        properties: { phase: { type: 'string' }, replicas: { type: 'integer' } },
      },
    },
  };
}
