import type { RequestStep, Row, RowGroup, Step, WatchStep } from '../row.ts';
import {
  ALL_FLUNDERS,
  FLUNDERS,
  flunder,
  get,
  given,
  PARTIAL,
  put,
  remove,
  TABLE,
} from './wardle.ts';

function row(name: string, ...steps: Step[]): Row {
  return { name: `watch: ${name}`, covers: { kind: 'flunders.v1alpha1', verb: 'watch' }, steps };
}

type Query = NonNullable<RequestStep['query']>;

interface WatchOptions extends Partial<WatchStep['watch']> {
  during?: readonly Step[];
  events: WatchStep['events'];
}

function watch(
  name: string,
  query: Query,
  { during = [], events, ...rest }: WatchOptions,
): WatchStep {
  return {
    name,
    watch: { path: FLUNDERS, query: { watch: '1', ...query }, ...rest },
    during,
    events,
  };
}

/** A watch whose request is refused before a stream begins. */
function refused(name: string, query: Query, more: Partial<RequestStep> = {}): Row {
  return row(
    name,
    given('a'),
    get('watch', FLUNDERS, { query: { watch: '1', ...query }, ...more }),
  );
}

/** Writes that every watch of the namespace sees as five events. */
const life: readonly Step[] = [
  given('b'),
  put(
    'change-b',
    'b',
    flunder('b', { metadata: { resourceVersion: '{rv:given-b}' }, spec: { reference: 'lake' } }),
    {
      setup: true,
    },
  ),
  given('c'),
  remove('remove-b', 'b', { setup: true }),
  put(
    'change-c',
    'c',
    flunder('c', { metadata: { resourceVersion: '{rv:given-c}', labels: { x: 'y' } } }),
    {
      setup: true,
    },
  ),
];
const start: Query = { resourceVersion: '{rv:given-a}' };

function relabel(name: string, from: string, color: string | undefined): RequestStep {
  const labels = color === undefined ? {} : { labels: { color } };
  return put(
    name,
    'a',
    flunder('a', { metadata: { resourceVersion: `{rv:${from}}`, ...labels } }),
    {
      setup: true,
    },
  );
}

export const watches: RowGroup = {
  name: 'watch',
  rows: [
    row('from a resourceVersion', given('a'), watch('watch', start, { during: life, events: 5 })),
    row(
      'over HTTP/1.1',
      given('a'),
      watch('watch', start, { during: life, events: 5, protocol: 'h1' }),
    ),
    row(
      'the past from a resourceVersion',
      given('a'),
      ...life,
      watch('watch', start, { events: 5 }),
    ),
    row(
      'with the word true',
      given('a'),
      watch('watch', { ...start, watch: 'true' }, { during: [given('b')], events: 1 }),
    ),
    row(
      'with an empty word',
      given('a'),
      watch('watch', { ...start, watch: '' }, { during: [given('b')], events: 1 }),
    ),
    row('is off for 0', given('a'), get('list', FLUNDERS, { query: { watch: '0' } })),
    row('is off for false', given('a'), get('list', FLUNDERS, { query: { watch: 'False' } })),
    row(
      'from anywhere',
      given('b'),
      given('a'),
      get('settle', FLUNDERS, { setup: true }),
      watch('watch', {}, { during: [given('c')], events: 3 }),
    ),
    row(
      'from resourceVersion 0',
      given('a'),
      get('settle', FLUNDERS, { setup: true }),
      watch('watch', { resourceVersion: '0' }, { during: [given('c')], events: 2 }),
    ),
    row(
      'from anywhere with bookmarks',
      given('a'),
      get('settle', FLUNDERS, { setup: true }),
      watch('watch', { allowWatchBookmarks: 'true' }, { during: [given('c')], events: 3 }),
    ),
    row('nothing, with bookmarks', watch('watch', { allowWatchBookmarks: 'true' }, { events: 1 })),
    row(
      'initial events',
      given('b'),
      given('a'),
      watch(
        'watch',
        {
          sendInitialEvents: 'true',
          resourceVersionMatch: 'NotOlderThan',
          allowWatchBookmarks: 'true',
        },
        { during: [given('c')], events: 4 },
      ),
    ),
    row(
      'initial events not older than a resourceVersion',
      given('a'),
      given('b'),
      watch(
        'watch',
        {
          ...start,
          sendInitialEvents: 'true',
          resourceVersionMatch: 'NotOlderThan',
          allowWatchBookmarks: 'true',
        },
        { during: [given('c')], events: 4 },
      ),
    ),
    row(
      'initial events without bookmarks',
      given('a'),
      watch(
        'watch',
        { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' },
        { during: [given('c')], events: 2 },
      ),
    ),
    row(
      'no initial events',
      given('a'),
      watch(
        'watch',
        {
          sendInitialEvents: 'false',
          resourceVersionMatch: 'NotOlderThan',
          allowWatchBookmarks: 'true',
        },
        { during: [given('c')], events: 1 },
      ),
    ),
    row(
      'from a resourceVersion of the future',
      given('a'),
      watch('watch', { resourceVersion: '999999999999999' }, { during: [given('c')], events: 0 }),
    ),
    row(
      'from a resourceVersion that the store has forgotten',
      given('a'),
      given('b'),
      watch('watch', { resourceVersion: '1', timeoutSeconds: '2' }, { events: 'closed' }),
    ),
    row(
      'a deletion has its own resourceVersion',
      given('a'),
      watch('watch', start, { during: [remove('delete', 'a', { setup: true })], events: 1 }),
      watch('resumed', { resourceVersion: '{rv:watch#0}' }, { during: [given('b')], events: 1 }),
    ),
    row(
      'ends at its timeout',
      given('a'),
      watch('watch', { ...start, timeoutSeconds: '1' }, { events: 'closed' }),
    ),
    row(
      'only its namespace',
      given('a'),
      watch('watch', start, {
        during: [
          { ...given('elsewhere'), path: FLUNDERS.replace('{ns}', 'default') },
          {
            name: 'cleanup',
            method: 'DELETE',
            path: `${FLUNDERS.replace('{ns}', 'default')}/elsewhere`,
            setup: true,
          },
          given('b'),
        ],
        events: 1,
      }),
    ),
    row(
      'all namespaces',
      given('a'),
      watch(
        'watch',
        { ...start, labelSelector: 'row={ns}' },
        {
          path: ALL_FLUNDERS,
          during: [given('b', { metadata: { labels: { row: '{ns}' } } }), given('c')],
          events: 1,
        },
      ),
    ),
    row(
      'a label selector',
      given('a'),
      watch(
        'watch',
        { ...start, labelSelector: 'color=red' },
        {
          during: [
            relabel('to-red', 'given-a', 'red'),
            put(
              'still-red',
              'a',
              flunder('a', {
                metadata: { resourceVersion: '{rv:to-red}', labels: { color: 'red' } },
                spec: { reference: 'sea' },
              }),
              { setup: true },
            ),
            relabel('to-blue', 'still-red', 'blue'),
            relabel('to-green', 'to-blue', 'green'),
            relabel('red-again', 'to-green', 'red'),
            remove('delete', 'a', { setup: true }),
          ],
          events: 5,
        },
      ),
    ),
    row(
      'a label selector that a deleted object does not match',
      given('a'),
      watch(
        'watch',
        { ...start, labelSelector: 'color=red' },
        {
          during: [remove('delete', 'a', { setup: true })],
          events: 0,
        },
      ),
    ),
    row(
      'one object by field',
      given('a'),
      watch(
        'watch',
        { ...start, fieldSelector: 'metadata.name=c' },
        {
          during: [given('b'), given('c'), remove('delete', 'c', { setup: true })],
          events: 2,
        },
      ),
    ),
    row(
      'a write that changes nothing',
      given('a'),
      watch('watch', start, {
        during: [
          put('same', 'a', flunder('a', { metadata: { resourceVersion: '{rv:given-a}' } })),
          given('b'),
        ],
        events: 1,
      }),
    ),
    row(
      'a dry run',
      given('a'),
      watch('watch', start, {
        during: [remove('dry', 'a', { query: { dryRun: 'All' }, setup: true }), given('b')],
        events: 1,
      }),
    ),
    row(
      'a deletion that a finalizer delays',
      given('a', { metadata: { finalizers: ['example.com/keep'] } }),
      watch('watch', start, {
        during: [
          remove('delete', 'a', { setup: true }),
          put('let-go', 'a', flunder('a', { metadata: { resourceVersion: '{rv:delete}' } }), {
            setup: true,
          }),
        ],
        events: 2,
      }),
    ),
    row(
      'as Table',
      given('a'),
      watch('watch', start, { during: life, events: 5, headers: { accept: TABLE } }),
    ),
    row(
      'as PartialObjectMetadata',
      given('a'),
      watch('watch', start, { during: life, events: 5, headers: { accept: PARTIAL } }),
    ),
    row(
      'the old way',
      given('a'),
      watch('watch', start, {
        path: '/apis/wardle.example.com/v1alpha1/watch/namespaces/{ns}/flunders',
        during: [given('b')],
        events: 1,
      }),
    ),
    row(
      'one object the old way',
      given('a'),
      watch('watch', start, {
        path: '/apis/wardle.example.com/v1alpha1/watch/namespaces/{ns}/flunders/b',
        during: [given('b'), given('c'), remove('delete', 'b', { setup: true })],
        events: 2,
      }),
    ),
    refused('from a resourceVersion that is no number', { resourceVersion: 'abc' }),
    refused('initial events without a match', { sendInitialEvents: 'true' }),
    refused('initial events of exactly a resourceVersion', {
      sendInitialEvents: 'true',
      resourceVersionMatch: 'Exact',
      ...start,
    }),
    refused('a match without initial events', { resourceVersionMatch: 'NotOlderThan', ...start }),
    refused('a bad label selector', { labelSelector: 'a in (' }),
    refused('an unknown field', { fieldSelector: 'spec.reference=pond' }),
    refused('a timeout that is no number', { timeoutSeconds: 'soon' }),
    refused('as YAML', start, { headers: { accept: 'application/yaml' } }),
    refused(
      'as a list of PartialObjectMetadata',
      { ...start, timeoutSeconds: '1' },
      {
        headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
      },
    ),
    refused('in an unknown form', start, { headers: { accept: 'text/html' } }),
  ],
};
