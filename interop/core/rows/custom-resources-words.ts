/** Words of rows about custom resources. Every row has a group of its own, so that rows do not meet. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { RequestStep, Step, WatchStep } from '../../differential/row.ts';
import { feature, type More, PATCH_TYPES } from './words.ts';

export const customRow = feature('custom resources');

export const GROUP = '{ns}.example.com';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const DEFINITION = `${DEFINITIONS}/things.${GROUP}`;

/** The schema that most rows have: a whole number, a text, a map, and a status. */
export const SPEC: JsonObject = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    color: { type: 'string' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};
export const STATUS: JsonObject = {
  type: 'object',
  properties: { phase: { type: 'string' }, ready: { type: 'integer' } },
};

export interface VersionWords extends JsonObject {
  name: string;
}

export interface DefinitionWords {
  /** Of the whole object. Default: `spec` with `specSchema`, and a status. */
  readonly schema?: JsonObject;
  readonly specSchema?: JsonObject;
  /** Of the only version, beside its schema. */
  readonly version?: JsonObject;
  /** In place of the only version. */
  readonly versions?: readonly JsonObject[];
  readonly names?: JsonObject;
  /** Further fields of `spec`. */
  readonly spec?: JsonObject;
  readonly group?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
}

export function wholeSchema(spec: JsonObject = SPEC): JsonObject {
  return { type: 'object', properties: { spec, status: STATUS } };
}

/** A version; stored and served unless `more` says otherwise. */
export function versionOf(name: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more };
}

export function definition(words: DefinitionWords = {}): JsonObject {
  const { schema = wholeSchema(words.specSchema), version = {}, group = GROUP } = words;
  const plural = String(words.names?.plural ?? 'things');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: words.scope ?? 'Namespaced',
      names: { plural: 'things', kind: 'Thing', ...words.names },
      versions: words.versions ?? [versionOf('v1', schema, version)],
      ...words.spec,
    },
  };
}

/** Defines things, and waits until they are served. */
export function defined(words: DefinitionWords = {}): Step[] {
  const { group = GROUP } = words;
  const plural = String(words.names?.plural ?? 'things');
  const body = definition(words);
  const versions = (body.spec as JsonObject).versions as readonly JsonObject[];
  const served = versions.find((one) => one.served === true)?.name ?? 'v1';
  return [
    { name: 'crd', method: 'POST', path: DEFINITIONS, body, setup: true },
    {
      name: 'served',
      path: `/apis/${group}/${String(served)}/${plural}`,
      setup: true,
      until: 200,
    },
  ];
}

/** Changes the definition, whatever its resourceVersion. */
export function redefine(change: Json, name = 'redefine'): RequestStep {
  return {
    name,
    method: 'PATCH',
    path: DEFINITION,
    headers: { 'content-type': PATCH_TYPES.json },
    body: change,
    setup: true,
  };
}

export function undefine(more: More = {}): RequestStep {
  return { name: 'undefine', method: 'DELETE', path: DEFINITION, setup: true, ...more };
}

export function things(version = 'v1', group: string = GROUP): string {
  return `/apis/${group}/${version}/namespaces/{ns}/things`;
}

export function thing(fields: JsonObject = {}, name = 'a', version = 'v1'): JsonObject {
  const { metadata, ...rest } = fields;
  return {
    apiVersion: `${GROUP}/${version}`,
    kind: 'Thing',
    metadata: { name, ...(metadata as JsonObject) },
    ...rest,
  };
}

export function post(fields: JsonObject, more: More = {}): RequestStep {
  return { name: 'create', method: 'POST', path: things(), body: thing(fields), ...more };
}

/** An object for the next steps. */
export function given(fields: JsonObject = {}, name = 'a'): RequestStep {
  return post(fields, { name: `given-${name}`, body: thing(fields, name), setup: true });
}

export function get(more: More = {}): RequestStep {
  return { name: 'get', path: `${things()}/a`, ...more };
}

export function list(more: More = {}): RequestStep {
  return { name: 'list', path: things(), ...more };
}

export function put(fields: JsonObject, more: More = {}): RequestStep {
  const { metadata, ...rest } = fields;
  const at = { resourceVersion: '{rv:given-a}', ...(metadata as JsonObject) };
  return {
    name: 'update',
    method: 'PUT',
    path: `${things()}/a`,
    body: thing({ metadata: at, ...rest }),
    ...more,
  };
}

export function patch(type: keyof typeof PATCH_TYPES, body: Json, more: More = {}): RequestStep {
  return {
    name: 'patch',
    method: 'PATCH',
    path: `${things()}/a`,
    headers: { 'content-type': PATCH_TYPES[type] },
    body,
    ...more,
  };
}

export function apply(fields: JsonObject, more: More = {}): RequestStep {
  const query = { fieldManager: 'applier' };
  return patch('apply', thing(fields), { name: 'apply', query, ...more });
}

export function remove(more: More = {}): RequestStep {
  return { name: 'delete', method: 'DELETE', path: `${things()}/a`, ...more };
}

export function watch(
  events: WatchStep['events'],
  during: readonly Step[],
  query: Readonly<Record<string, string>> = {},
): WatchStep {
  const since = { watch: '1', resourceVersion: '{rv:given-a}', ...query };
  return { name: 'watch', watch: { path: things(), query: since }, during, events };
}

/**
 * A group with a fixed name, for views and hashes that need one. Its definitions are deleted at the end, so that the
 * next run starts empty.
 */
export function inGroup(
  name: string,
  ask: (group: string) => readonly Step[],
  words: DefinitionWords = {},
): Step[] {
  const group = `${name}.rows.example.com`;
  const own = `${DEFINITIONS}/things.${group}`;
  return [
    ...defined({ ...words, group }),
    ...ask(group),
    { name: 'cleaned', method: 'DELETE', path: own, setup: true },
    { name: 'clean', path: own, until: 404, setup: true },
  ];
}
