/** Words that rows about the control plane share. */
import { isObject, type Json, type JsonObject } from '../../differential/json.ts';
import type { Covers, RequestStep, Row, Step, Verb, WatchStep } from '../../differential/row.ts';
import { baseOf, type Kind } from '../kinds.ts';

export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** Everything of a row's objects carries it, for lists that see other rows' objects too. */
export const ROW_LABEL: JsonObject = { row: '{ns}' };
export const OF_THE_ROW = { labelSelector: 'row={ns}' };

export type More = Partial<RequestStep>;

export function row(kind: Kind, verb: Verb, name: string, ...steps: Step[]): Row {
  return { name: `${kind.id} ${verb}: ${name}`, covers: { kind: kind.id, verb }, steps };
}

export function feature(what: Extract<Covers, { feature: string }>['feature']) {
  return (name: string, ...steps: Step[]): Row => ({
    name: `${what}: ${name}`,
    covers: { feature: what },
    steps,
  });
}

/** The collection that the row's objects are in. */
export function collection(kind: Kind): string {
  const inside = kind.namespaced ? '/namespaces/{ns}' : '';
  return `${baseOf(kind)}${inside}/${kind.plural}`;
}

/** Cluster-scoped names begin with the namespace of the row, so that rows do not meet. */
export function nameOf(kind: Kind, name: string): string {
  return kind.namespaced ? name : `{ns}-${name}${kind.named?.suffix ?? ''}`;
}

export function pathOf(kind: Kind, name = 'a'): string {
  return `${collection(kind)}/${nameOf(kind, name)}`;
}

/** A whole object; `fields` may add to its metadata. */
export function object(kind: Kind, fields: JsonObject = {}, name = 'a'): JsonObject {
  const { metadata, ...rest } = fields;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name: nameOf(kind, name), labels: ROW_LABEL, ...(metadata as JsonObject) },
    ...rest,
    ...(isObject(rest.spec) &&
      kind.named !== undefined && { spec: { ...kind.named.specOf(name), ...rest.spec } }),
  };
}

export function post(kind: Kind, body: Json, more: More = {}): RequestStep {
  return { name: 'create', method: 'POST', path: collection(kind), body, ...more };
}

/** Creates an object for the next steps. */
export function given(kind: Kind, fields: JsonObject = {}, name = 'a'): RequestStep {
  return post(kind, object(kind, fields, name), { name: `given-${name}`, setup: true });
}

export function get(kind: Kind, more: More = {}): RequestStep {
  return { name: 'get', path: pathOf(kind), ...more };
}

export function list(kind: Kind, more: More = {}): RequestStep {
  return { name: 'list', path: collection(kind), query: OF_THE_ROW, ...more };
}

/** Replaces an object that `given-a` made, at its resourceVersion. */
export function put(kind: Kind, fields: JsonObject, more: More = {}): RequestStep {
  const { metadata, ...rest } = fields;
  const at = { resourceVersion: '{rv:given-a}', ...(metadata as JsonObject) };
  return {
    name: 'update',
    method: 'PUT',
    path: pathOf(kind),
    body: object(kind, { metadata: at, ...rest }),
    ...more,
  };
}

export function patch(
  kind: Kind,
  type: keyof typeof PATCH_TYPES,
  body: Json,
  more: More = {},
): RequestStep {
  return {
    name: 'patch',
    method: 'PATCH',
    path: pathOf(kind),
    headers: { 'content-type': PATCH_TYPES[type] },
    body,
    ...more,
  };
}

export function apply(kind: Kind, fields: JsonObject, more: More = {}): RequestStep {
  const query = { fieldManager: 'applier' };
  return patch(kind, 'apply', object(kind, fields), { name: 'apply', query, ...more });
}

export function remove(kind: Kind, more: More = {}): RequestStep {
  return { name: 'delete', method: 'DELETE', path: pathOf(kind), ...more };
}

export function watch(
  kind: Kind,
  { during, events }: Pick<WatchStep, 'events'> & { during: readonly Step[] },
): WatchStep {
  const query = { ...OF_THE_ROW, watch: '1', resourceVersion: '{rv:given-a}' };
  return { name: 'watch', watch: { path: collection(kind), query }, during, events };
}

/** Rows in which one create is refused, or answered in a way of its own, for what its fields say. */
export function creates(kind: Kind, cases: Readonly<Record<string, JsonObject>>): Row[] {
  return Object.entries(cases).map(([name, fields]) =>
    row(kind, 'create', name, post(kind, object(kind, fields))),
  );
}

/** Rows in which an object is replaced by one with other fields. */
export function updates(
  kind: Kind,
  cases: Readonly<Record<string, { from: JsonObject; to: JsonObject }>>,
): Row[] {
  return Object.entries(cases).map(([name, { from, to }]) =>
    row(kind, 'update', name, given(kind, from), put(kind, to)),
  );
}
