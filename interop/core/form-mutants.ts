/** Control planes that are wrong in their documents, Tables, watches and applies, one bug each. */

import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapJson,
  parseJson,
} from '../differential/json.ts';
import type { Mutant } from '../differential/mutants.ts';
import type { RawResponse } from '../differential/step-result.ts';

const DOCUMENT = 'openapi: deployments in both versions';
const TABLE = 'services list: Tables with what is asked for';
const METADATA = 'leases list: metadata of nothing and of one';
const SELECTED = 'configmaps watch: objects that come to match and cease to';
const LISTED = 'secrets watch: begun with what is there';
const OWNED = 'roles patch: apply: fields go with their only owner';
const FOUGHT = 'services patch: apply: two who want different things';

/** Some of their answers have a layout that the layer that makes bugs does not know. */
export const layoutRows: readonly string[] = [DOCUMENT, TABLE, METADATA];

/** Another body in the same layout, so that what is caught is the bug and nothing else. */
export function onBody(change: (body: Json) => Json): (response: RawResponse) => RawResponse {
  return (response) => {
    const body = parseJson(response.body);
    if (body === undefined) return response;
    const indent = /^[[{]\n {2}/.test(response.body) ? 2 : 0;
    const end = response.body.endsWith('\n') ? '\n' : '';
    return { ...response, body: JSON.stringify(change(body), undefined, indent) + end };
  };
}

/** Takes a key away, wherever it is. */
const lacks = (name: string) =>
  onBody((body) =>
    mapJson(body, (value) => {
      if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
      const { [name]: _, ...rest } = value;
      return rest;
    }),
  );

const typed = (from: string, to: string) => (events: readonly Json[]) =>
  events.map((event) => (isObject(event) && event.type === from ? { ...event, type: to } : event));

export const formMutants: readonly Mutant[] = [
  {
    name: 'a merge key is not published',
    row: DOCUMENT,
    response: lacks('x-kubernetes-patch-merge-key'),
  },
  {
    name: 'a list type is not published',
    row: DOCUMENT,
    response: lacks('x-kubernetes-list-type'),
  },
  { name: 'no field is required', row: DOCUMENT, response: lacks('required') },
  {
    name: 'a definition does not say what it is of',
    row: DOCUMENT,
    response: lacks('x-kubernetes-group-version-kind'),
  },
  {
    name: 'a format is another one',
    row: DOCUMENT,
    response: onBody((body) =>
      mapJson(body, (value, key) => (key === 'format' && value === 'int32' ? 'int64' : undefined)),
    ),
  },
  { name: 'an operation has another name', row: DOCUMENT, response: lacks('id') },
  { name: 'a Table without columns', row: TABLE, response: lacks('columnDefinitions') },
  {
    name: 'a Table with an object that was not asked for',
    row: TABLE,
    response: onBody((body) =>
      mapJson(body, (value, key) => (key === 'object' && value === null ? {} : undefined)),
    ),
  },
  {
    name: 'an empty list that is none',
    row: METADATA,
    response: onBody((body) => (hasNoItems(body) ? { ...body, items: [] } : body)),
  },
  {
    name: 'an object that leaves is a change',
    row: SELECTED,
    events: typed('DELETED', 'MODIFIED'),
  },
  { name: 'an object that comes is a change', row: SELECTED, events: typed('ADDED', 'MODIFIED') },
  { name: 'nobody is told where the list ends', row: LISTED, events: typed('BOOKMARK', 'ADDED') },
  { name: 'a field that nobody wants stays', row: OWNED, response: keepLabel },
  { name: 'a conflict names nobody', row: FOUGHT, response: lacks('causes') },
];

function hasNoItems(body: Json): body is JsonObject {
  return isObject(body) && body.items === null;
}

function keepLabel(response: Parameters<NonNullable<Mutant['response']>>[0]) {
  return onBody((body) =>
    mapJson(body, (value, key) =>
      key === 'labels' && isObject(value) && !isArray(value) ? { x: '1', ...value } : undefined,
    ),
  )(response);
}
