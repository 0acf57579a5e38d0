import {
  formatGroupVersion,
  type GroupVersion,
  type GroupVersionKind,
  goQuote,
} from '@tributary/apimachinery';
import type { ApiDefinition } from '../api.ts';
import type { ObjectSchema } from '../schema.ts';

/** The kinds of a server, their lists among them, for those who send one where another belongs. */
export interface KnownKinds {
  /** Undefined for a kind that the server does not have, null for a list. */
  schemaOf(kind: GroupVersionKind): ObjectSchema | null | undefined;
}

export const noKnownKinds: KnownKinds = { schemaOf: () => undefined };

export function knownKinds(apis: readonly ApiDefinition[]): KnownKinds {
  const schemas = new Map<string, ObjectSchema | null>();
  for (const { group, resources } of apis) {
    for (const { kind, listKind, versions } of resources) {
      for (const [version, { schema }] of versions) {
        schemas.set(keyOf({ group, version, kind }), schema);
        schemas.set(keyOf({ group, version, kind: listKind }), null);
      }
    }
  }
  return { schemaOf: (kind) => schemas.get(keyOf(kind)) };
}

function keyOf(kind: GroupVersionKind): string {
  return `${formatGroupVersion(kind)} ${kind.kind}`;
}

/** What is sent is of another version of the same kind. */
export function wrongVersion(sent: GroupVersion, wanted: GroupVersion): string {
  return `the API version in the data (${formatGroupVersion(sent)}) does not match the expected API version (${formatGroupVersion(wanted)})`;
}

/** What is sent is another kind of the same API; upstream names types of its sources. */
export function wrongKind(sent: GroupVersionKind, wanted: GroupVersionKind): string {
  const [name = ''] = wanted.group.split('.', 1);
  const why = `converting (${sent.version}.${sent.kind}) to (${name}.${wanted.kind}): unknown conversion`;
  return `${sent.kind} in version ${goQuote(sent.version)} cannot be handled as a ${wanted.kind}: ${why}`;
}
