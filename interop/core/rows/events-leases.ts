/** Events in both groups, and Leases. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { Event, Lease, NewEvent } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { creates, get, given, object, pathOf, post, row, TABLE, updates } from './words.ts';

const involved = (more: JsonObject = {}): JsonObject => ({
  involvedObject: { kind: 'ConfigMap', apiVersion: 'v1', name: 'c', namespace: '{ns}', ...more },
});
const old = { firstTimestamp: '2001-01-01T00:00:00Z', lastTimestamp: '2001-01-02T00:00:00Z' };

export const events: RowGroup = {
  name: 'events',
  rows: [
    ...everyKind(Event, {
      minimal: involved(),
      full: {
        ...involved({
          uid: '11111111-2222-4333-8444-555555555555',
          resourceVersion: '7',
          fieldPath: 'data',
        }),
        ...old,
        reason: 'Tested',
        message: 'It was tested.',
        source: { component: 'tester', host: 'node-1' },
        type: 'Warning',
        count: 3,
        reportingComponent: 'example.com/tester',
        reportingInstance: 'tester-1',
        related: { kind: 'Secret', name: 's', namespace: '{ns}' },
        series: { count: 2, lastObservedTime: '2001-01-02T00:00:00.123456Z' },
        action: 'Testing',
      },
      changed: { ...involved(), message: 'changed' },
      merge: { count: 4 },
      json: [{ op: 'replace', path: '/message', value: 'It was patched.' }],
      strategic: { count: 5, lastTimestamp: '2001-01-03T00:00:00Z' },
      applied: { ...involved(), message: 'applied' },
      wrongTypes: {
        'with a count that is a text': { ...involved(), count: 'x' },
        'with a time that is none': { ...involved(), firstTimestamp: 'yesterday' },
        'with a time that is a number': { ...involved(), firstTimestamp: 7 },
        'with a micro time that is none': { ...involved(), eventTime: 'now' },
      },
      fieldSelectors: [
        'involvedObject.name=c',
        'involvedObject.kind=ConfigMap',
        'reason=Tested',
        'type=Warning',
        'source=tester',
        'reportingComponent=example.com/tester',
      ],
    }),
    ...creates(Event, {
      'about nothing': {},
      'about another namespace': involved({ namespace: 'other' }),
      'about a cluster-scoped object': { involvedObject: { kind: 'Node', name: 'n' } },
      'with an event time but no reporter': {
        ...involved(),
        eventTime: '2001-01-01T00:00:00.000001Z',
      },
      'of an unknown type': { ...involved(), type: 'Alarm' },
    }),
    row(
      Event,
      'get',
      'in the new group',
      given(Event, { ...involved(), ...old, reason: 'Tested', message: 'old', count: 2 }),
      { name: 'get', path: pathOf(NewEvent) },
    ),
  ],
};

const news = (more: JsonObject = {}): JsonObject => ({
  eventTime: '2001-01-01T00:00:00.000001Z',
  type: 'Normal',
  reason: 'Tested',
  action: 'Testing',
  reportingController: 'example.com/tester',
  reportingInstance: 'tester-1',
  regarding: { kind: 'ConfigMap', apiVersion: 'v1', name: 'c', namespace: '{ns}' },
  ...more,
});
const without = (field: string): JsonObject =>
  Object.fromEntries(Object.entries(news()).filter(([key]) => key !== field));

export const newEvents: RowGroup = {
  name: 'events-k8s-io',
  rows: [
    ...everyKind(NewEvent, {
      minimal: news(),
      full: news({
        note: 'It was tested.',
        related: { kind: 'Secret', name: 's', namespace: '{ns}' },
        series: { count: 2, lastObservedTime: '2001-01-02T00:00:00.123456Z' },
      }),
      changed: news({ series: { count: 2, lastObservedTime: '2001-01-02T00:00:00.123456Z' } }),
      merge: { series: { count: 4 } },
      json: [{ op: 'replace', path: '/series/count', value: 5 }],
      strategic: { series: { count: 6 } },
      applied: news({ series: { count: 2, lastObservedTime: '2001-01-02T00:00:00.123456Z' } }),
      wrongTypes: {
        'with a time that is none': news({ eventTime: 'now' }),
        'with a series that is a list': news({ series: [] }),
      },
      fieldSelectors: ['reportingController=example.com/tester', 'regarding.name=c'],
    }),
    ...creates(NewEvent, {
      'without a time': without('eventTime'),
      'without a type': without('type'),
      'without a reason': without('reason'),
      'without an action': without('action'),
      'without a reporter': without('reportingController'),
      'without an instance of the reporter': without('reportingInstance'),
      'of an unknown type': news({ type: 'Alarm' }),
      'with a bad reporter': news({ reportingController: 'not ok' }),
      'with a long reason': news({ reason: 'r'.repeat(129) }),
      'with a long note': news({ note: 'n'.repeat(1025) }),
      'with an old field': news({ deprecatedCount: 3 }),
      'with a series of one': news({
        series: { count: 1, lastObservedTime: '2001-01-02T00:00:00.123456Z' },
      }),
    }),
    ...updates(NewEvent, { 'of the note': { from: news(), to: news({ note: 'new' }) } }),
    row(
      NewEvent,
      'get',
      'in the core group',
      given(NewEvent, news({ note: 'new' })),
      get(Event),
      get(Event, { name: 'table', headers: { accept: TABLE } }),
    ),
  ],
};

const held = (more: JsonObject = {}): JsonObject => ({
  spec: {
    holderIdentity: 'one',
    leaseDurationSeconds: 15,
    acquireTime: '2001-01-01T00:00:00.000000Z',
    renewTime: '2001-01-01T00:00:01.500000Z',
    leaseTransitions: 1,
    ...more,
  },
});

export const leases: RowGroup = {
  name: 'leases',
  rows: [
    ...everyKind(Lease, {
      minimal: {},
      full: held({ strategy: 'OldestEmulationVersion', preferredHolder: 'two' }),
      changed: held(),
      merge: { spec: { holderIdentity: 'two' } },
      json: [{ op: 'replace', path: '/spec/leaseTransitions', value: 2 }],
      strategic: { spec: { renewTime: '2001-01-01T00:00:02.500000Z' } },
      applied: { spec: { holderIdentity: 'applier' } },
      wrongTypes: {
        'with a duration that is a text': held({ leaseDurationSeconds: '15' }),
        'with a time without fractions': held({ renewTime: '2001-01-01T00:00:01Z' }),
        'with a time that is none': held({ renewTime: 'later' }),
      },
    }),
    ...creates(Lease, {
      'with a duration of zero': held({ leaseDurationSeconds: 0 }),
      'with a negative duration': held({ leaseDurationSeconds: -1 }),
      'with negative transitions': held({ leaseTransitions: -1 }),
      'with an empty holder': held({ holderIdentity: '' }),
      'with a bad strategy': held({ strategy: 'a b' }),
      'with a preferred holder but no strategy': held({ preferredHolder: 'two' }),
    }),
    row(
      Lease,
      'create',
      'in a missing namespace',
      post(Lease, object(Lease), {
        path: '/apis/coordination.k8s.io/v1/namespaces/{ns}-no/leases',
      }),
    ),
  ],
};
