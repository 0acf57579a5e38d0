import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Event } from '@tributary/api/core-v1';
import type { Event as NewEvent } from '@tributary/api/events-v1';
import { toCoreEvent, toNewEvent } from './conversion.ts';

const metadata = { name: 'a', namespace: 'eu' };
const MICRO = '2001-01-02T00:00:00.123456Z';
const SECONDS = '2001-01-01T00:00:00Z';

const empty = {
  core: {
    metadata,
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  new: {
    metadata,
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
};

const cases: readonly {
  name: string;
  core: Omit<Event, 'apiVersion' | 'kind'>;
  new: Omit<NewEvent, 'apiVersion' | 'kind'>;
}[] = [
  { name: 'nothing', ...empty },
  {
    name: 'everything',
    core: {
      metadata,
      involvedObject: { kind: 'Pod', name: 'p' },
      reason: 'Tested',
      message: 'It was tested.',
      source: { component: 'tester', host: 'node-1' },
      firstTimestamp: SECONDS,
      lastTimestamp: SECONDS,
      count: 3,
      type: 'Warning',
      eventTime: MICRO,
      series: { count: 2, lastObservedTime: MICRO },
      action: 'Testing',
      related: { kind: 'Secret' },
      reportingComponent: 'example.com/tester',
      reportingInstance: 'tester-1',
    },
    new: {
      metadata,
      eventTime: MICRO,
      series: { count: 2, lastObservedTime: MICRO },
      reportingController: 'example.com/tester',
      reportingInstance: 'tester-1',
      action: 'Testing',
      reason: 'Tested',
      regarding: { kind: 'Pod', name: 'p' },
      related: { kind: 'Secret' },
      note: 'It was tested.',
      type: 'Warning',
      deprecatedSource: { component: 'tester', host: 'node-1' },
      deprecatedFirstTimestamp: SECONDS,
      deprecatedLastTimestamp: SECONDS,
      deprecatedCount: 3,
    },
  },
  {
    name: 'a series without a count, which one group leaves out and the other shows',
    core: { ...empty.core, series: { lastObservedTime: null } },
    new: { ...empty.new, series: { count: 0, lastObservedTime: null } },
  },
];

describe('conversion of events between both groups', () => {
  const type = { apiVersion: '', kind: 'Event' };
  for (const { name, core, new: other } of cases) {
    test(name, () => {
      assert.deepEqual(toNewEvent({ ...type, ...core }), other);
      assert.deepEqual(toCoreEvent({ ...type, ...other }), core);
    });
  }

  test('a converted event has its fields in the order of the Go struct', () => {
    const whole = cases.find(({ name }) => name === 'everything');
    assert.ok(whole);
    const { core, new: other } = whole;
    assert.deepEqual(Object.keys(toCoreEvent({ ...type, ...other })), Object.keys(core));
    assert.deepEqual(Object.keys(toNewEvent({ ...type, ...core })), Object.keys(other));
  });
});
