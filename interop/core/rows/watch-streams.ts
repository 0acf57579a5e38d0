/** Watches of every kind: how they begin, what a selector lets through, and how a deletion that waits looks. */
import type { Row, RowGroup, Step, WatchStep } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import { type SampledKind, sampledKinds } from './sampled-kinds.ts';
import { collection, given, nameOf, OF_THE_ROW, patch, remove, row, TABLE } from './words.ts';

const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
/** The options of a client that wants a list as events. */
const LISTED = {
  sendInitialEvents: 'true',
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: 'true',
};

interface Opened {
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly during?: readonly Step[];
  readonly events: WatchStep['events'];
}

function open(kind: Kind, { name = 'watch', query, accept, during = [], events }: Opened): Step {
  return {
    name,
    watch: {
      path: collection(kind),
      query: { ...OF_THE_ROW, watch: '1', ...query },
      ...(accept !== undefined && { headers: { accept } }),
    },
    during,
    events,
  };
}

const label = (kind: Kind, name: string, x: string | null): Step =>
  patch(kind, 'merge', { metadata: { labels: { x } } }, { name, setup: true });

function watchRows({ kind, sample }: SampledKind): Row[] {
  const { minimal, full } = sample;
  const since = { resourceVersion: '{rv:given-a}' };
  return [
    row(
      kind,
      'watch',
      'begun with what is there',
      given(kind, full),
      given(kind, minimal, 'b'),
      open(kind, { name: 'plain', events: 2 }),
      open(kind, { name: 'listed', query: LISTED, events: 3 }),
      open(kind, { name: 'nothing', query: { ...LISTED, labelSelector: 'row=none' }, events: 1 }),
    ),
    row(
      kind,
      'watch',
      'objects that come to match and cease to',
      given(kind, minimal),
      open(kind, {
        query: { ...since, labelSelector: 'row={ns},x=1' },
        during: [
          label(kind, 'comes', '1'),
          patch(kind, 'merge', { metadata: { annotations: { stays: 'y' } } }, { setup: true }),
          label(kind, 'leaves', null),
          label(kind, 'unseen', '2'),
          label(kind, 'again', '1'),
          remove(kind, { setup: true }),
        ],
        events: 5,
      }),
    ),
    row(
      kind,
      'watch',
      'one object, as metadata and as a Table',
      given(kind, minimal),
      open(kind, {
        query: { ...since, fieldSelector: `metadata.name=${nameOf(kind, 'a')}` },
        accept: PARTIAL,
        during: [given(kind, minimal, 'b'), label(kind, 'change', '1')],
        events: 1,
      }),
      open(kind, { name: 'table', query: since, accept: TABLE, events: 2 }),
    ),
    row(
      kind,
      'watch',
      'a deletion that waits',
      given(kind, { ...minimal, metadata: { finalizers: ['example.com/hold'] } }),
      open(kind, {
        query: since,
        during: [
          remove(kind, { setup: true }),
          patch(kind, 'merge', { metadata: { finalizers: null } }, { setup: true }),
        ],
        events: 2,
      }),
    ),
    row(
      kind,
      'watch',
      'points that nobody can begin from',
      open(kind, { name: 'no-number', query: { resourceVersion: 'x' }, events: 'closed' }),
      open(kind, { name: 'unmatched', query: { sendInitialEvents: 'true' }, events: 'closed' }),
    ),
  ];
}

export const watchStreams: RowGroup = {
  name: 'watch-streams',
  rows: sampledKinds.flatMap(watchRows),
};
