/** Schemas that OpenAPI cannot describe are omitted and reported, and the rest of the documents is built. */
import type { ServedVersion } from '../definition/served-versions.ts';
import { ANYTHING, type SchemaObject } from '../schema/openapi-schema.ts';
import { kindDefinitionNames, listDefinition } from './kind-definitions.ts';
import { kinds } from './meta-definitions.ts';

/** Called with the reason why a definition is omitted, by its name. */
export type Undescribed = ReadonlyMap<string, (reason: string) => void>;

/**
 * Maximum depth of a definition, as JSON. An aggregator, possibly in this process, rejects documents of more than 500
 * levels, some of which surround a definition.
 */
const DEFINITION_DEPTH_MAX = 400;

/** A kind with arbitrary fields. */
export function opaqueDefinitions(entry: ServedVersion): Map<string, SchemaObject> {
  const { own } = kindDefinitionNames(entry);
  const { kind } = entry;
  return new Map([
    [own, { type: 'object', ...ANYTHING, ...kinds([kind], kind.kind) }],
    listDefinition(entry),
  ]);
}

/** Encodes definitions; of an invalid one, only the kind. */
export function writesDefinitions(
  { undescribed }: { readonly undescribed: Undescribed },
  write: (schema: SchemaObject, name: string) => string,
): (schema: SchemaObject, name: string) => string {
  return (schema, name) => {
    try {
      return write(schema, name);
    } catch (error) {
      const report = undescribed.get(name);
      if (report === undefined) throw error; // a bug, not a user's schema
      report(reasonOf(error));
      return write(opaque(schema), name);
    }
  };
}

function opaque(schema: SchemaObject): SchemaObject {
  const kind = schema['x-kubernetes-group-version-kind'];
  return {
    type: 'object',
    ...ANYTHING,
    ...(kind !== undefined && { 'x-kubernetes-group-version-kind': kind }),
  };
}

export function requireShallow(definitions: Iterable<readonly [string, SchemaObject]>): void {
  for (const [, schema] of definitions) {
    if (isDeeper(schema, DEFINITION_DEPTH_MAX)) {
      throw new Error(`its schema is nested deeper than ${DEFINITION_DEPTH_MAX} levels`);
    }
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
