/** Servers with one bug each, made by changing what passes on the wire. The judge must catch every one. */

import { at, isArray, isObject, type Json, type JsonObject, mapJson, parseJson } from './json.ts';
import type { RawResponse } from './step-result.ts';
import type { Call, Target } from './target.ts';

export interface Mutant {
  name: string;
  /** The row that must catch it. */
  row: string;
  response?: (response: RawResponse, call: Call) => RawResponse;
  events?: (events: readonly Json[]) => readonly Json[];
}

const CREATE = 'create: an object';
const GET = 'get: an object';
const MISSING = 'get: a missing object';
const LIST = 'list: by name';
const WATCH = 'watch: from a resourceVersion';

export const mutants: readonly Mutant[] = [
  { name: 'a wrong status code', row: CREATE, response: (r) => ({ ...r, status: 200 }) },
  { name: 'a failure that says 200', row: MISSING, response: (r) => ({ ...r, status: 200 }) },
  { name: 'a missing field', row: GET, response: onBody((b) => without(b, 'metadata', 'uid')) },
  { name: 'an extra field', row: GET, response: onBody((b) => put(b, true, 'metadata', 'extra')) },
  {
    name: 'a default that is not set',
    row: CREATE,
    response: onBody((b) => without(b, 'spec', 'referenceType')),
  },
  { name: 'a wrong reason', row: MISSING, response: onBody((b) => put(b, 'Gone', 'reason')) },
  {
    name: 'a wrong message',
    row: MISSING,
    response: onBody((b) => put(b, 'not found', 'message')),
  },
  {
    name: 'a text instead of a number',
    row: MISSING,
    response: onBody((b) => put(b, '404', 'code')),
  },
  { name: 'an error as plain text', row: MISSING, response: (r) => ({ ...r, body: 'not found' }) },
  { name: 'no body', row: GET, response: (r) => ({ ...r, body: '' }) },
  { name: 'a wrong content type', row: GET, response: header('content-type', 'text/plain') },
  { name: 'a missing Warning header', row: GET, response: header('warning') },
  { name: 'a missing Cache-Control header', row: GET, response: header('cache-control') },
  { name: 'a missing Audit-Id header', row: GET, response: header('audit-id') },
  {
    name: 'a missing Retry-After header',
    row: 'get: at a resourceVersion of the future',
    response: header('retry-after'),
  },
  { name: 'an answer that may be cached', row: GET, response: header('cache-control', 'public') },
  { name: 'an answer that is not indented', row: 'get: indented', response: onBody((b) => b) },
  {
    name: 'a time with fractions',
    row: GET,
    response: onBody((b) => put(b, new Date().toISOString(), 'metadata', 'creationTimestamp')),
  },
  {
    name: 'a time of long ago',
    row: GET,
    response: onBody((b) => put(b, '2001-01-01T00:00:00Z', 'metadata', 'creationTimestamp')),
  },
  {
    name: 'a uid that the client chose',
    row: 'create: system metadata is the server’s',
    response: onBody((b) => put(b, '11111111-2222-4333-8444-555555555555', 'metadata', 'uid')),
  },
  {
    name: 'a uid that changes',
    row: 'update: an object',
    response: forMethod(
      'GET',
      onBody((b) => put(b, 'aaaaaaaa-bbbb-4ccc-8ddd-999999999999', 'metadata', 'uid')),
    ),
  },
  {
    name: 'a resourceVersion that goes backwards',
    row: 'update: an object',
    response: forMethod(
      'PUT',
      onBody((b) => put(b, '5', 'metadata', 'resourceVersion')),
    ),
  },
  {
    name: 'a resourceVersion that stands still',
    row: 'update: an object',
    response: forMethod(
      'PUT',
      onBody((b) => put(b, '101', 'metadata', 'resourceVersion')),
    ),
  },
  {
    name: 'a write that changes nothing and yet counts',
    row: 'update: with nothing changed',
    response: forMethod(
      'PUT',
      onBody((b) => put(b, '500', 'metadata', 'resourceVersion')),
    ),
  },
  {
    name: 'a list that is older than its items',
    row: LIST,
    response: forMethod(
      'GET',
      onBody((b) => put(b, '5', 'metadata', 'resourceVersion')),
    ),
  },
  { name: 'a list in the wrong order', row: LIST, response: onBody(reverseItems) },
  { name: 'a list that lacks an item', row: LIST, response: onBody(dropItem) },
  {
    name: 'a wrong remainingItemCount',
    row: 'list: pages',
    response: onBody((b) => put(b, 7, 'metadata', 'remainingItemCount')),
  },
  { name: 'a token that continues elsewhere', row: 'list: pages', response: onBody(moveToken) },
  {
    name: 'reordered watch events',
    row: WATCH,
    events: ([a, b, ...rest]) => [b, a, ...rest].filter((event) => event !== undefined),
  },
  { name: 'a dropped watch event', row: WATCH, events: (all) => all.toSpliced(1, 1) },
  { name: 'a dropped last watch event', row: WATCH, events: (all) => all.slice(0, -1) },
  {
    name: 'a watch event sent twice',
    row: WATCH,
    events: (all) => [...all.slice(0, 2), ...all.slice(1)],
  },
  {
    name: 'the last watch event sent twice',
    row: WATCH,
    events: (all) => [...all, ...all.slice(-1)],
  },
  {
    name: 'an event of the wrong type',
    row: WATCH,
    events: (all) => all.map((e) => (at(e, 'type') === 'MODIFIED' ? put(e, 'ADDED', 'type') : e)),
  },
  { name: 'events whose resourceVersions go backwards', row: WATCH, events: swapVersions },
  {
    name: 'a deletion with the resourceVersion of the object',
    row: 'watch: a deletion has its own resourceVersion',
    events: (all) =>
      all.map((e) =>
        at(e, 'type') === 'DELETED' ? put(e, '101', 'object', 'metadata', 'resourceVersion') : e,
      ),
  },
  {
    name: 'an event without its kind',
    row: WATCH,
    events: (all) => all.map((e) => without(e, 'object', 'kind')),
  },
  {
    name: 'no bookmark after the initial events',
    row: 'watch: initial events',
    events: (all) => all.filter((e) => at(e, 'type') !== 'BOOKMARK'),
  },
  {
    name: 'a bookmark that does not say what it ends',
    row: 'watch: initial events',
    events: (all) =>
      all.map((e) =>
        at(e, 'type') === 'BOOKMARK' ? without(e, 'object', 'metadata', 'annotations') : e,
      ),
  },
];

/** A target between us and another one, with a bug in it. */
export function mutate(target: Target, { response, events }: Mutant): Target {
  return {
    ...target,
    send: async (call) => {
      const result = await target.send(call);
      return response === undefined ? result : response(result, call);
    },
    watch: async (call) => {
      const open = await target.watch(call);
      return events === undefined ? open : { ...open, change: events };
    },
  };
}

export function onBody(change: (body: Json) => Json): (response: RawResponse) => RawResponse {
  return (response) => {
    const body = parseJson(response.body);
    return body === undefined
      ? response
      : { ...response, body: `${JSON.stringify(change(body))}\n` };
  };
}

export function forMethod(
  method: string,
  change: (response: RawResponse) => RawResponse,
): (response: RawResponse, call: Call) => RawResponse {
  return (response, call) => (call.method === method ? change(response) : response);
}

/** Replaces a header, or takes it away. */
export function header(name: string, value?: string): (response: RawResponse) => RawResponse {
  return (response) => {
    const others = response.headers.filter(([key]) => key !== name);
    return { ...response, headers: value === undefined ? others : [...others, [name, value]] };
  };
}

export function put(value: Json, leaf: Json, ...[key = '', ...rest]: readonly string[]): Json {
  if (!isObject(value)) return value;
  return { ...value, [key]: rest.length === 0 ? leaf : put(value[key] ?? {}, leaf, ...rest) };
}

export function without(value: Json, ...[key = '', ...rest]: readonly string[]): Json {
  if (!isObject(value)) return value;
  const { [key]: inner, ...others } = value;
  return rest.length === 0 || inner === undefined
    ? others
    : { ...others, [key]: without(inner, ...rest) };
}

function reverseItems(body: Json): Json {
  const items = at(body, 'items');
  return isArray(items) ? { ...(body as JsonObject), items: items.toReversed() } : body;
}

function dropItem(body: Json): Json {
  const items = at(body, 'items');
  return isArray(items) ? { ...(body as JsonObject), items: items.slice(1) } : body;
}

function moveToken(body: Json): Json {
  return mapJson(body, (value, key) => {
    if (key !== 'continue' || typeof value !== 'string') return undefined;
    const text = Buffer.from(value, 'base64url').toString('utf8');
    return Buffer.from(text.replace(/"start":"./, '"start":"z')).toString('base64url');
  });
}

function swapVersions(events: readonly Json[]): readonly Json[] {
  const versions = events.map((event) => at(event, 'object', 'metadata', 'resourceVersion') ?? '');
  return events.map((event, index) =>
    put(event, versions[events.length - 1 - index] ?? '', 'object', 'metadata', 'resourceVersion'),
  );
}
