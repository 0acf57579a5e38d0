/** Parameters of many operations are written once in a document of version 2, as upstream does. */
import { createHash } from 'node:crypto';
import type { SchemaObject } from '../schema/openapi-schema.ts';

export interface ParameterReference {
  readonly $ref: string;
}

export interface SharedParameters {
  /** A parameter in an operation: itself, or a reference. */
  readonly place: (parameter: ParameterV2) => ParameterV2 | ParameterReference;
  /** All shared parameters, by name. */
  readonly all: () => Record<string, ParameterV2>;
}

/** Enough of a hash to distinguish the few parameters of one name. */
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
 * The name of an object and its body are specific to a kind. `dryRun` and `fieldValidation` must be in the operation
 * itself, where kubectl before 1.27 looks for them.
 */
function isShared({ name, in: place, schema }: ParameterV2): boolean {
  if (place === 'body') return schema?.$ref?.startsWith(META_PREFIX) ?? false;
  return name !== 'name' && name !== 'dryRun' && name !== 'fieldValidation';
}

/** Part of the name, so that documents of several servers can be merged without confusing their parameters. */
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
