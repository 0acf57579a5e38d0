import {
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
  goQuote,
} from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import { type ObjectSchema, typedSchema } from '../schema/object-schema.ts';
import type { TypedKind } from '../schema/typed/typed-kind.ts';

/** The kinds of a server and their lists, for the errors of bodies of a wrong kind. */
export interface KnownKinds {
  /** Undefined for a kind that the server does not have, null for a list. */
  schemaOf(kind: GroupVersionKind): ObjectSchema | null | undefined;
}

export const noKnownKinds: KnownKinds = { schemaOf: () => undefined };

/** A kind that is known but not served. */
export interface OtherKind {
  readonly group: string;
  readonly version: string;
  readonly typed: TypedKind;
}

export function knownKinds(
  apis: () => readonly ApiDefinition[],
  others: readonly OtherKind[] = [],
): KnownKinds {
  const unserved = new Map(
    others.map((other) => [keyOf({ ...other, kind: other.typed.kind }), other.typed]),
  );
  return {
    schemaOf: (kind) => {
      const served = servedSchema(apis(), kind);
      if (served !== undefined) return served;
      const typed = unserved.get(keyOf(kind));
      return typed && typedSchema(typed);
    },
  };
}

/** Searched on demand, because it is rarely needed and the served APIs may change. */
function servedSchema(
  apis: readonly ApiDefinition[],
  { group, version, kind }: GroupVersionKind,
): ObjectSchema | null | undefined {
  const found = apis
    .filter((api) => api.group === group)
    .flatMap(({ resources }) => resources)
    .find((one) => (one.kind === kind || one.listKind === kind) && one.versions.has(version));
  if (found === undefined) return undefined;
  return found.kind === kind ? found.versions.get(version)?.schema : null;
}

function keyOf(kind: GroupVersionKind): string {
  return `${formatGroupVersion(kind)} ${kind.kind}`;
}

/** The message for a body of another version of the same kind. */
export function wrongVersion(sent: GroupVersion, wanted: GroupVersion): string {
  return `the API version in the data (${formatGroupVersion(sent)}) does not match the expected API version (${formatGroupVersion(wanted)})`;
}

/** The message for a body of another kind of the same API; upstream's names Go types. */
export function wrongKind(sent: GroupVersionKind, wanted: GroupVersionKind): string {
  const [name = ''] = wanted.group.split('.', 1);
  const to = `${name || 'core'}.${wanted.kind}`;
  const why = `converting (${sent.version}.${sent.kind}) to (${to}): unknown conversion`;
  return `${sent.kind} in version ${goQuote(sent.version)} cannot be handled as a ${wanted.kind}: ${why}`;
}
