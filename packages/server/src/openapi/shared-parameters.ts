/** Parameters that many operations have are written once in a document of version 2, as upstream does. */
import { createHash } from 'node:crypto';
import type { SchemaObject } from '../schema/openapi-schema.ts';

export interface ParameterReference {
  readonly $ref: string;
}

export interface SharedParameters {
  /** What stands in an operation for a parameter: itself, or where it is written. */
  readonly place: (parameter: ParameterV2) => ParameterV2 | ParameterReference;
  /** Everything that was placed elsewhere, by name. */
  readonly all: () => Record<string, ParameterV2>;
}

/** So much of a hash tells a handful of parameters with the same name apart. */
const HASH_LENGTH = 8;
const META_PREFIX = '#/definitions/io.k8s.apimachinery';

export function sharedParameters(): SharedParameters {
  const shared = new Map<string, ParameterV2>();
  return {
    place: (parameter) => {
      if (!isShared(parameter)) return parameter;
      const name = `${parameter.name}-${hashOf(parameter)}`;
      shared.set(name, parameter);
      return { $ref: `#/parameters/${name}` };
    },
    all: () => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/**
 * The name of an object is described for its kind, and the body mostly is of it. `dryRun` and `fieldValidation`
 * must stand in the operation itself: kubectl before 1.27 looks for them there.
 */
function isShared({ name, in: place, schema }: ParameterV2): boolean {
  if (place === 'body') return schema?.$ref?.startsWith(META_PREFIX) ?? false;
  return name !== 'name' && name !== 'dryRun' && name !== 'fieldValidation';
}

/** In the name, so that documents of several servers can be merged without taking one for the other. */
function hashOf(parameter: ParameterV2): string {
  const digest = createHash('sha256').update(JSON.stringify(parameter)).digest('base64url');
  return digest.slice(0, HASH_LENGTH);
}

export interface ParameterV2 {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly description?: string;
  readonly required?: boolean;
  readonly type?: string;
  readonly schema?: SchemaObject;
}
