import type { RequestStep, Row, RowGroup, Step } from '../row.ts';
import { ALL_FLUNDERS, FLUNDERS, flunder, get, given, post, put, remove } from './wardle.ts';

function getRow(name: string, ...steps: Step[]): Row {
  return { name: `get: ${name}`, covers: { kind: 'flunders.v1alpha1', verb: 'get' }, steps };
}

export const gets: RowGroup = {
  name: 'get',
  rows: [
    getRow('an object', given('a'), get('get', `${FLUNDERS}/a`)),
    getRow('over HTTP/1.1', given('a'), get('get', `${FLUNDERS}/a`, { protocol: 'h1' })),
    getRow('a missing object', get('get', `${FLUNDERS}/a`)),
    getRow('a missing object over HTTP/1.1', get('get', `${FLUNDERS}/a`, { protocol: 'h1' })),
    getRow('in a missing namespace', get('get', `${FLUNDERS}/a`.replace('{ns}', '{ns}-none'))),
    getRow(
      'only in its own namespace',
      given('a'),
      get('get', `${FLUNDERS}/a`.replace('{ns}', '{ns}-none')),
    ),
    getRow('a name that no object can have', get('get', `${FLUNDERS}/UPPER_case`)),
    getRow('a very long name', get('get', `${FLUNDERS}/${'a'.repeat(300)}`)),
    getRow(
      'at resourceVersion 0',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { resourceVersion: '0' }, until: 200 }),
    ),
    getRow(
      'not older than a resourceVersion',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { resourceVersion: '{rv:given-a}' } }),
    ),
    getRow(
      'at a resourceVersion of the future',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { resourceVersion: '999999999999999' } }),
    ),
    getRow(
      'at a resourceVersion that is no number',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { resourceVersion: 'abc' } }),
    ),
    getRow('indented', given('a'), get('get', `${FLUNDERS}/a`, { query: { pretty: 'true' } })),
    getRow(
      'indented because pretty is empty',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { pretty: '' } }),
    ),
    getRow(
      'not indented for 0',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { pretty: '0' } }),
    ),
    getRow(
      'indented for curl',
      given('a'),
      get('get', `${FLUNDERS}/a`, { headers: { 'user-agent': 'curl/8.5' } }),
    ),
    getRow(
      'not indented for curl that says so',
      given('a'),
      get('get', `${FLUNDERS}/a`, {
        headers: { 'user-agent': 'curl/8.5' },
        query: { pretty: 'false' },
      }),
    ),
    getRow(
      'indented for browsers',
      given('a'),
      get('get', `${FLUNDERS}/a`, { headers: { 'user-agent': 'Mozilla/5.0 (X11)' } }),
    ),
    getRow('a missing object, indented', get('get', `${FLUNDERS}/a`, { query: { pretty: '1' } })),
    getRow(
      'exported, which is gone',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { export: 'true' } }),
    ),
    getRow(
      'watch means nothing for one object',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { watch: '1' } }),
    ),
    getRow(
      'a timeout in the URL',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { timeout: '5s' } }),
    ),
    getRow(
      'a timeout that is no duration',
      given('a'),
      get('get', `${FLUNDERS}/a`, { query: { timeout: 'soon' } }),
    ),
    getRow(
      'after it was deleted',
      given('a'),
      remove('delete', 'a', { setup: true }),
      get('get', `${FLUNDERS}/a`),
    ),
  ],
};

const labelled: readonly RequestStep[] = [
  given('a', { metadata: { labels: { color: 'red', size: '1' } } }),
  given('b', { metadata: { labels: { color: 'blue', size: '20' } } }),
  given('c'),
];

function list(name: string, query: NonNullable<RequestStep['query']>): RequestStep {
  return get(name, FLUNDERS, { query });
}

function listRow(name: string, ...steps: Step[]): Row {
  return { name: `list: ${name}`, covers: { kind: 'flunders.v1alpha1', verb: 'list' }, steps };
}

function byLabel(name: string, labelSelector: string): Row {
  return listRow(name, ...labelled, list('list', { labelSelector }));
}

function byField(name: string, fieldSelector: string): Row {
  return listRow(name, ...labelled, list('list', { fieldSelector }));
}

export const lists: RowGroup = {
  name: 'list',
  rows: [
    listRow('nothing', list('list', {})),
    listRow('nothing, over HTTP/1.1', get('list', FLUNDERS, { protocol: 'h1' })),
    listRow('a missing namespace', get('list', FLUNDERS.replace('{ns}', '{ns}-none'))),
    listRow('by name', given('b'), given('a'), given('a-b'), given('a.b'), list('list', {})),
    listRow(
      'the resourceVersion is that of the store',
      given('a'),
      given('b'),
      remove('delete', 'b', { setup: true }),
      list('list', {}),
      given('c'),
      list('again', {}),
    ),
    listRow(
      'all namespaces',
      given('a', { metadata: { labels: { row: '{ns}' } } }),
      given('b', { metadata: { labels: { row: '{ns}' } } }),
      get('list', ALL_FLUNDERS, { query: { labelSelector: 'row={ns}' } }),
    ),
    listRow(
      'all namespaces, one by field',
      given('a'),
      get('list', ALL_FLUNDERS, { query: { fieldSelector: 'metadata.namespace={ns}' } }),
    ),
    listRow('indented', given('a'), list('list', { pretty: '1' })),
  ],
};

export const selectors: RowGroup = {
  name: 'selectors',
  rows: [
    byLabel('label equals', 'color=red'),
    byLabel('label equals, two signs', 'color==red'),
    byLabel('label differs or is absent', 'color!=red'),
    byLabel('label in a set', 'color in (red, green)'),
    byLabel('label not in a set', 'color notin (red,green)'),
    byLabel('label in the empty set', 'color in ()'),
    byLabel('label exists', 'color'),
    byLabel('label does not exist', '!color'),
    byLabel('label greater than', 'size>5'),
    byLabel('label less than', 'size<5'),
    byLabel('label greater than no number', 'size>x'),
    byLabel('several labels', 'color in (red,blue),size=20'),
    byLabel('an empty label selector', ''),
    byLabel('a label with an empty value', 'color='),
    byLabel('a label selector that ends early', 'color in (red'),
    byLabel('a label selector that begins wrongly', ',color'),
    byLabel('a label selector without a key', '=red'),
    byLabel('a label selector with an unknown operator', 'color === red'),
    byLabel('a label selector with a bad key', 'a/b/c=red'),
    byLabel('a label selector with a bad value', 'color=-red-'),
    byField('field metadata.name', 'metadata.name=b'),
    byField('field metadata.name differs', 'metadata.name!=b'),
    byField('field metadata.namespace', 'metadata.namespace={ns}'),
    byField('field metadata.namespace of another', 'metadata.namespace=other'),
    byField('two fields', 'metadata.name=b,metadata.namespace={ns}'),
    byField('an unknown field', 'spec.reference=pond'),
    byField('a field selector without a sign', 'metadata.name'),
    byField('a field selector with a bad escape', 'metadata.name=a\\b'),
    byField('an empty field selector', ''),
    byField('a field selector with a name that no object can have', 'metadata.name=A/B'),
    listRow(
      'both selectors',
      ...labelled,
      list('list', { labelSelector: 'color', fieldSelector: 'metadata.name!=a' }),
    ),
    listRow(
      'a label selector given twice',
      ...labelled,
      list('list', { labelSelector: ['color=red', 'color=blue'] }),
    ),
  ],
};

const three: readonly RequestStep[] = [given('a'), given('b'), given('c')];

export const paging: RowGroup = {
  name: 'paging',
  rows: [
    listRow(
      'pages',
      ...three,
      list('first', { limit: '1' }),
      list('second', { limit: '1', continue: '{continue:first}' }),
      list('third', { limit: '1', continue: '{continue:second}' }),
    ),
    listRow(
      'pages are of one moment',
      ...three,
      list('first', { limit: '2' }),
      given('d'),
      remove('delete', 'c', { setup: true }),
      list('second', { limit: '2', continue: '{continue:first}' }),
      list('fresh', {}),
    ),
    listRow('a page that is as long as the list', ...three, list('list', { limit: '3' })),
    listRow('a page that is longer than the list', ...three, list('list', { limit: '10' })),
    listRow('a limit of nothing', ...three, list('list', { limit: '0' })),
    listRow('a negative limit', ...three, list('list', { limit: '-1' })),
    listRow('a limit that is no number', ...three, list('list', { limit: 'x' })),
    listRow(
      'pages with a label selector',
      ...labelled,
      given('d', { metadata: { labels: { color: 'red' } } }),
      list('first', { limit: '1', labelSelector: 'color' }),
      list('second', { limit: '1', labelSelector: 'color', continue: '{continue:first}' }),
      list('third', { limit: '1', labelSelector: 'color', continue: '{continue:second}' }),
    ),
    listRow(
      'pages of all namespaces',
      given('a', { metadata: { labels: { row: '{ns}' } } }),
      given('b', { metadata: { labels: { row: '{ns}' } } }),
      get('first', ALL_FLUNDERS, { query: { limit: '1', labelSelector: 'row={ns}' } }),
      get('second', ALL_FLUNDERS, {
        query: { limit: '1', labelSelector: 'row={ns}', continue: '{continue:first}' },
      }),
    ),
    listRow(
      'a token that is nonsense',
      ...three,
      list('list', { limit: '1', continue: 'nonsense' }),
    ),
    listRow('a token that is no JSON', ...three, list('list', { limit: '1', continue: 'eyJ2Ijo' })),
    listRow(
      'a token of another version',
      ...three,
      list('list', {
        limit: '1',
        continue: token({ v: 'meta.k8s.io/v9', rv: 5, start: 'a\u0000' }),
      }),
    ),
    listRow(
      'a token without a start',
      ...three,
      list('list', { limit: '1', continue: token({ v: 'meta.k8s.io/v1', rv: 5 }) }),
    ),
    listRow(
      'a token with resourceVersion 0',
      ...three,
      list('list', {
        limit: '1',
        continue: token({ v: 'meta.k8s.io/v1', rv: 0, start: 'a\u0000' }),
      }),
    ),
    listRow(
      'a token that climbs out',
      ...three,
      list('list', { limit: '1', continue: token({ v: 'meta.k8s.io/v1', rv: -1, start: '../a' }) }),
    ),
    listRow(
      'a token for whatever is there now',
      ...three,
      list('list', {
        limit: '1',
        continue: token({ v: 'meta.k8s.io/v1', rv: -1, start: 'a\u0000' }),
      }),
    ),
    listRow(
      'a token with a resourceVersion beside it',
      ...three,
      list('first', { limit: '1' }),
      list('second', { limit: '1', continue: '{continue:first}', resourceVersion: '{rv:first}' }),
    ),
    listRow(
      'a token with resourceVersion 0 beside it',
      ...three,
      list('first', { limit: '1' }),
      list('second', { limit: '1', continue: '{continue:first}', resourceVersion: '0' }),
    ),
    listRow(
      'a token with a match beside it',
      ...three,
      list('first', { limit: '1' }),
      list('second', { limit: '1', continue: '{continue:first}', resourceVersionMatch: 'Exact' }),
    ),
    listRow(
      'a token that the store has forgotten',
      ...three,
      list('expired', {
        limit: '1',
        continue: token({ v: 'meta.k8s.io/v1', rv: 1, start: 'a\u0000' }),
      }),
      list('resumed', { limit: '1', continue: '{continue:expired}' }),
    ),
  ],
};

/** The clear text is what matters; base64url only carries it. */
function token(content: { v: string; rv: number; start?: string }): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

function atVersion(name: string, query: NonNullable<RequestStep['query']>): Row {
  return listRow(
    `resourceVersion ${name}`,
    given('a'),
    given('b'),
    // Served from a cache, 0 is whatever is there: wait until that is everything.
    { ...list('current', {}), setup: true },
    given('c'),
    { ...list('settled', {}), setup: true },
    list('list', query),
  );
}

const OLD = '{rv:given-b}';

export const resourceVersions: RowGroup = {
  name: 'resource-versions',
  rows: [
    atVersion('0', { resourceVersion: '0' }),
    atVersion('0 with a limit', { resourceVersion: '0', limit: '1' }),
    atVersion('of the past', { resourceVersion: OLD }),
    atVersion('of the past with a limit', { resourceVersion: OLD, limit: '1' }),
    atVersion('0, not older than', { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }),
    atVersion('0, not older than, with a limit', {
      resourceVersion: '0',
      resourceVersionMatch: 'NotOlderThan',
      limit: '1',
    }),
    atVersion('of the past, not older than', {
      resourceVersion: OLD,
      resourceVersionMatch: 'NotOlderThan',
    }),
    atVersion('of the past, not older than, with a limit', {
      resourceVersion: OLD,
      resourceVersionMatch: 'NotOlderThan',
      limit: '1',
    }),
    atVersion('of the past, exact', { resourceVersion: OLD, resourceVersionMatch: 'Exact' }),
    atVersion('of the past, exact, with a limit', {
      resourceVersion: OLD,
      resourceVersionMatch: 'Exact',
      limit: '1',
    }),
    atVersion('unset, not older than', { resourceVersionMatch: 'NotOlderThan' }),
    atVersion('unset, exact', { resourceVersionMatch: 'Exact' }),
    atVersion('0, exact', { resourceVersion: '0', resourceVersionMatch: 'Exact' }),
    atVersion('with an unknown match', { resourceVersion: '0', resourceVersionMatch: 'Nonsense' }),
    atVersion('of the future', { resourceVersion: '999999999999999' }),
    atVersion('of the future, exact', {
      resourceVersion: '999999999999999',
      resourceVersionMatch: 'Exact',
    }),
    atVersion('that is no number', { resourceVersion: 'abc' }),
    atVersion('that is negative', { resourceVersion: '-1' }),
    atVersion('with sendInitialEvents', { sendInitialEvents: 'true' }),
    atVersion('with a bad timeout', { timeoutSeconds: 'soon' }),
    atVersion('that the store has forgotten', { resourceVersion: '1' }),
    atVersion('that the store has forgotten, with a limit', { resourceVersion: '1', limit: '1' }),
    atVersion('that the store has forgotten, exact', {
      resourceVersion: '1',
      resourceVersionMatch: 'Exact',
    }),
    listRow(
      'resourceVersion of an older state of one object, exact',
      given('a'),
      put(
        'change',
        'a',
        flunder('a', {
          metadata: { resourceVersion: '{rv:given-a}' },
          spec: { reference: 'lake' },
        }),
        { setup: true },
      ),
      list('before', { resourceVersion: '{rv:given-a}', resourceVersionMatch: 'Exact' }),
      list('now', { resourceVersion: '{rv:change}', resourceVersionMatch: 'Exact' }),
    ),
    listRow(
      'resourceVersion of the store sees a write at once',
      post('create', flunder('a'), { setup: true }),
      list('list', {}),
    ),
  ],
};
