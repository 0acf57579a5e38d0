import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Event } from '@tributary/api/core-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { validateEvent } from '../../core/event/validation.ts';
import { validateNewEvent, validateNewEventUpdate } from './validation.ts';

const TIME = '2001-01-01T00:00:00.000001Z';

/** In its stored form. */
function event(more: Partial<Event> = {}): Event {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a', namespace: 'eu', resourceVersion: '1' },
    involvedObject: { kind: 'ConfigMap', name: 'c', namespace: 'eu' },
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
    ...more,
  };
}

function timed(more: Partial<Event> = {}): Event {
  return event({
    eventTime: TIME,
    type: 'Normal',
    reason: 'Tested',
    action: 'Testing',
    reportingComponent: 'example.com/tester',
    reportingInstance: 'tester-1',
    ...more,
  });
}

const NOT_A_NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const MISPLACED = (namespace: string) =>
  `involvedObject.namespace: Invalid value: "${namespace}": does not match event.namespace`;

describe('an event of the core group', () => {
  const at = (namespace: string) => ({ metadata: { name: 'a', namespace } });
  const cases: readonly { name: string; event: Event; errors: readonly string[] }[] = [
    { name: 'about an object beside it', event: event(), errors: [] },
    {
      name: 'about an object elsewhere',
      event: event({ involvedObject: { namespace: 'us' } }),
      errors: [MISPLACED('us')],
    },
    {
      name: 'about an object of the cluster, in default',
      event: event({ ...at('default'), involvedObject: { kind: 'Node' } }),
      errors: [],
    },
    {
      name: 'about an object of the cluster, elsewhere',
      event: event({ involvedObject: { kind: 'Node' } }),
      errors: [MISPLACED('')],
    },
    {
      name: 'with a time, about an object of the cluster, in kube-system',
      event: timed({ ...at('kube-system'), involvedObject: { kind: 'Node' } }),
      errors: [],
    },
    {
      name: 'with a time, about an object elsewhere, which is taken',
      event: timed({ involvedObject: { namespace: 'us' } }),
      errors: [],
    },
    {
      name: 'with a time and nothing else',
      event: event({ eventTime: TIME, involvedObject: { kind: 'Node' } }),
      errors: [
        MISPLACED(''),
        'reportingComponent: Required value',
        'reportingComponent: Invalid value: "": name part must be non-empty',
        `reportingComponent: Invalid value: "": ${NOT_A_NAME}`,
        'reportingInstance: Required value',
        'action: Required value',
        'reason: Required value',
      ],
    },
    {
      name: 'with a time and too much of everything',
      event: timed({
        reportingComponent: 'a b',
        reportingInstance: 'i'.repeat(129),
        action: 'ä'.repeat(65),
        reason: 'r'.repeat(129),
        message: 'm'.repeat(1025),
      }),
      errors: [
        `reportingComponent: Invalid value: "a b": ${NOT_A_NAME}`,
        'reportingInstance: Invalid value: "": can have at most 128 characters',
        'action: Invalid value: "": can have at most 128 characters',
        'reason: Invalid value: "": can have at most 128 characters',
        'message: Invalid value: "": can have at most 1024 characters',
      ],
    },
    {
      name: 'of an unknown type, which nobody minds',
      event: timed({ type: 'Alarm', count: 3 }),
      errors: [],
    },
  ];
  for (const { name, event: given, errors } of cases) {
    test(name, () => assert.deepEqual(validateEvent(given).map(fieldErrorText), errors));
  }
});

describe('a new event of events.k8s.io', () => {
  const cases: readonly { name: string; event: Event; errors: readonly string[] }[] = [
    { name: 'with everything', event: timed({ message: 'm'.repeat(1024) }), errors: [] },
    {
      name: 'without a time',
      event: timed({ eventTime: null }),
      errors: ['eventTime: Required value'],
    },
    {
      name: 'of an unknown type',
      event: timed({ type: 'Alarm' }),
      errors: ['type: Invalid value: "": has invalid value: Alarm'],
    },
    {
      name: 'with a name that the core group takes',
      event: timed({ metadata: { name: 'A_b', namespace: 'eu' } }),
      errors: [
        "metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    },
    {
      name: 'without a reporter, whose field is called otherwise here',
      event: timed({ reportingComponent: '' }),
      errors: [
        'reportingController: Required value',
        'reportingController: Invalid value: "": name part must be non-empty',
        `reportingController: Invalid value: "": ${NOT_A_NAME}`,
      ],
    },
    {
      name: 'with a series of one',
      event: timed({ series: { count: 1, lastObservedTime: null } }),
      errors: [
        'series.count: Invalid value: "": should be at least 2',
        'series.lastObservedTime: Required value',
      ],
    },
    {
      name: 'with the old fields',
      event: timed({
        firstTimestamp: '2001-01-01T00:00:00Z',
        lastTimestamp: '2001-01-01T00:00:00Z',
        count: 2,
        source: { host: 'x' },
      }),
      errors: ['firstTimestamp', 'lastTimestamp', 'count', 'source'].map(
        (field) => `${field}: Invalid value: "": needs to be unset`,
      ),
    },
  ];
  for (const { name, event: given, errors } of cases) {
    test(name, () => assert.deepEqual(validateNewEvent(given).map(fieldErrorText), errors));
  }
});

describe('an update in events.k8s.io', () => {
  const series = { count: 2, lastObservedTime: TIME };
  const cases: readonly { name: string; from?: Event; to: Event; errors: readonly string[] }[] = [
    { name: 'begins a series', to: timed({ series }), errors: [] },
    {
      name: 'begins a series of one',
      to: timed({ series: { count: 1, lastObservedTime: TIME } }),
      errors: ['series.count: Invalid value: "": should be at least 2'],
    },
    {
      name: 'keeps a bad series that was there',
      from: timed({ series: { lastObservedTime: null } }),
      to: timed({ series: { lastObservedTime: null } }),
      errors: [],
    },
    {
      name: 'changes the message',
      to: timed({ message: 'x' }),
      errors: ['message: Invalid value: "x": field is immutable'],
    },
    {
      name: 'takes everything away',
      from: timed({ related: { kind: 'Z' }, count: 3, firstTimestamp: '2001-01-01T00:00:00Z' }),
      to: event({ involvedObject: { namespace: 'eu', fieldPath: '<x>' } }),
      errors: [
        'involvedObject: Invalid value: {"Kind":"","Namespace":"eu","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":"\\u003cx\\u003e"}: field is immutable',
        'reason: Invalid value: "": field is immutable',
        'firstTimestamp: Invalid value: null: field is immutable',
        'count: Invalid value: 0: field is immutable',
        'type: Invalid value: "": field is immutable',
        'eventTime: Invalid value: null: field is immutable',
        'action: Invalid value: "": field is immutable',
        'related: Invalid value: null: field is immutable',
        'reportingController: Invalid value: "": field is immutable',
        'reportingInstance: Invalid value: "": field is immutable',
      ],
    },
    {
      name: 'changes the source',
      to: timed({ source: { component: 'c' } }),
      errors: ['source: Invalid value: {"Component":"c","Host":""}: field is immutable'],
    },
  ];
  for (const { name, from = timed(), to, errors } of cases) {
    test(name, () =>
      assert.deepEqual(validateNewEventUpdate(to, from).map(fieldErrorText), errors),
    );
  }
});
