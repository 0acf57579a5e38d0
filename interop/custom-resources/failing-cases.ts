/** Requests for objects of which all or some cannot be converted, or whose labels the webhook changes. */
import { get, given, list, patch, thing, things } from '../core/rows/custom-resources-words.ts';
import { TABLE } from '../core/rows/words.ts';
import type { RequestStep, Step, WatchStep } from '../differential/row.ts';

const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIALS = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const V2 = things('v2');
const IN_V2 = { path: `${V2}/a` };
const BY_APPLIER = { query: { fieldManager: 'applier' } };
const red = { spec: { size: 2, color: 'red' } };
const plain = { spec: { size: 2 } };

/** Until its timeout. A watch waits silently for objects that cannot be converted. */
function watched(
  name: string,
  query: Readonly<Record<string, string>>,
  during: readonly Step[] = [],
): WatchStep {
  const since = { watch: '1', resourceVersion: '{rv:given-a}', timeoutSeconds: '3', ...query };
  return { name, watch: { path: V2, query: since }, during, events: 'closed' };
}

function removed(name: string, path: string, more: Partial<RequestStep> = {}): RequestStep {
  return { name, method: 'DELETE', path, ...more };
}

/** Nothing can be read in the other version. */
const reads: readonly Step[] = [
  get({ name: 'get', ...IN_V2 }),
  get({ name: 'table', ...IN_V2, headers: { accept: TABLE } }),
  get({ name: 'partial', ...IN_V2, headers: { accept: PARTIAL } }),
  get({ name: 'get-status', path: `${V2}/a/status` }),
  list({ path: V2 }),
  list({ name: 'everywhere', path: V2.replace('/namespaces/{ns}', '') }),
  list({ name: 'page', path: V2, query: { limit: '1' } }),
  list({ name: 'table-list', path: V2, headers: { accept: TABLE } }),
  list({ name: 'partial-list', path: V2, headers: { accept: PARTIALS } }),
  list({ name: 'any-revision', path: V2, query: { resourceVersion: '0' } }),
  list({ name: 'none-selected', path: V2, query: { labelSelector: 'a=b' } }),
  list({ name: 'stored-list' }),
];

/** A watch of the stored version gets the events that the others wait for. */
const watches: readonly Step[] = [
  watched('watch', {}, [patch('merge', { spec: { size: 9 } }, { name: 'change', setup: true })]),
  watched('bookmarks', { allowWatchBookmarks: 'true' }),
  {
    name: 'stored',
    watch: { path: things(), query: { watch: '1', resourceVersion: '{rv:given-a}' } },
    events: 1,
  },
];

const writes: readonly Step[] = [
  {
    name: 'put',
    method: 'PUT',
    ...IN_V2,
    body: thing({ metadata: { resourceVersion: '{rv:given-a}' }, spec: { length: 3 } }, 'a', 'v2'),
  },
  patch('merge', { spec: { length: 7 } }, IN_V2),
  patch('json', [{ op: 'add', path: '/spec/length', value: 7 }], { name: 'json', ...IN_V2 }),
  patch('apply', thing({ spec: { color: 'red' } }, 'a', 'v2'), {
    name: 'apply',
    ...BY_APPLIER,
    ...IN_V2,
  }),
  patch('apply', thing({ spec: { color: 'red' } }, 'z', 'v2'), {
    name: 'apply-new',
    ...BY_APPLIER,
    path: `${V2}/z`,
  }),
  patch('merge', { status: { phase: 'x' } }, { name: 'status', path: `${V2}/a/status` }),
  removed('delete', `${V2}/a`),
  removed('dry-run', `${V2}/a`, { query: { dryRun: 'All' } }),
  removed('missing', `${V2}/none`),
  removed('collection', V2),
  get({ name: 'unharmed' }),
  patch('merge', { spec: { size: 2 } }, { name: 'stored-patch' }),
  removed('stored-delete', `${things()}/a`),
  list({ name: 'nothing-left', path: V2 }),
];

/** Only what is red cannot be converted: a list has everything or nothing, a page what is on it. */
const some: readonly Step[] = [
  list({ name: 'before', path: V2 }),
  given(red, 'b'),
  get({ name: 'fine', ...IN_V2 }),
  get({ name: 'red', path: `${V2}/b` }),
  list({ path: V2 }),
  // The original answers it from its store, and the token says so.
  list({ name: 'page', path: V2, query: { limit: '1' }, view: 'shape' }),
  removed('collection', V2),
  list({ name: 'left' }),
];

/** Earlier events are delivered. */
const someWatched: readonly Step[] = [
  watched('watch', {}, [given(plain, 'c'), given(red, 'b'), given(plain, 'd')]),
  watched('again', {}),
  removed('gone', `${things()}/b`, { setup: true }),
  list({ name: 'after', path: V2, until: 200 }),
];

/** A webhook may write labels, which selectors then use. */
const selected: readonly Step[] = [
  list({ name: 'by-converted', path: V2, query: { labelSelector: 'converted=yes' } }),
  list({ name: 'by-stored', path: V2, query: { labelSelector: '!converted' } }),
  list({ name: 'in-stored-version', query: { labelSelector: 'converted=yes' } }),
  list({
    name: 'table',
    path: V2,
    query: { labelSelector: 'converted=yes' },
    headers: { accept: TABLE },
  }),
  watched('watch', { labelSelector: 'converted=yes' }, [given(plain, 'b')]),
  watched('watch-none', { labelSelector: '!converted' }),
  removed('none', V2, { query: { labelSelector: '!converted' } }),
  list({ name: 'kept' }),
  removed('all', V2, { query: { labelSelector: 'converted=yes' } }),
  list({ name: 'left' }),
];

export interface FailingCase {
  readonly name: string;
  /** Of the webhook; undefined when its port is closed. */
  readonly behaviour: string | undefined;
  readonly steps: readonly Step[];
}

export const failingCases: readonly FailingCase[] = [
  { name: 'nothing can be read', behaviour: 'failure', steps: reads },
  { name: 'nothing can be written', behaviour: 'failure', steps: writes },
  { name: 'nothing can be watched', behaviour: 'failure', steps: watches },
  { name: 'nobody answers who reads', behaviour: undefined, steps: reads },
  { name: 'nobody answers who writes', behaviour: undefined, steps: writes },
  { name: 'some can be read', behaviour: 'red', steps: some },
  { name: 'some can be watched', behaviour: 'red', steps: someWatched },
  { name: 'labels are selected as they are shown', behaviour: 'labels', steps: selected },
];
