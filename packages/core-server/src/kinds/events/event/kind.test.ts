import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Event } from '@tributary/api/core-v1';
import type { StatusError } from '@tributary/apimachinery';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { eventColumns } from '../../core/event/columns.ts';
import { eventKind } from '../../core/event/kind.ts';
import { newEventKind } from './kind.ts';

const event = eventKind({ ttlSeconds: 60 });
const newEvent = newEventKind(event);
const core = defineApi({ group: '', builtIn: true, resources: [event] });
const news = defineApi({ group: 'events.k8s.io', builtIn: true, resources: [newEvent] });
const CORE = '/api/v1/namespaces/default/events';
const NEW = '/apis/events.k8s.io/v1/namespaces/default/events';
const TIME = '2001-01-01T00:00:00.000001Z';

let server: TestServer;
before(async () => {
  server = await startTestServer([core, news]);
});
after(() => server.close());
beforeEach(() => server.reset());

const old = { metadata: { name: 'old' }, involvedObject: { namespace: 'default', name: 'c' } };
const timed = {
  metadata: { name: 'new' },
  eventTime: TIME,
  type: 'Normal',
  reason: 'Tested',
  action: 'Testing',
  reportingController: 'example.com/tester',
  reportingInstance: 'tester-1',
  regarding: { namespace: 'default', name: 'c', kind: 'Pod' },
};

async function create(path: string, body: unknown): Promise<void> {
  const { status, text } = await server.request('POST', path, { body });
  assert.equal(status, 201, text);
}

test('both groups serve the same events', async () => {
  await create(CORE, { ...old, message: 'said', source: { component: 'tester' } });
  await create(NEW, timed);
  const shown = await server.request<{ note: string }>('GET', `${NEW}/old`);
  assert.equal(shown.object.note, 'said');
  const stored = await server.request<Event>('GET', `${CORE}/new`);
  assert.equal(stored.object.reportingComponent, 'example.com/tester');
  assert.equal(stored.object.apiVersion, 'v1');
});

test('each group has its own field selectors', async () => {
  await create(CORE, { ...old, source: { component: 'tester' } });
  await create(NEW, timed);
  const cases = [
    { path: CORE, selector: 'source=tester', names: ['old'] },
    { path: CORE, selector: 'source=example.com/tester', names: ['new'] },
    { path: CORE, selector: 'reportingComponent=example.com/tester', names: ['new'] },
    { path: CORE, selector: 'involvedObject.kind=Pod', names: ['new'] },
    { path: NEW, selector: 'regarding.kind=Pod', names: ['new'] },
    { path: NEW, selector: 'reportingController=example.com/tester', names: ['new'] },
    { path: NEW, selector: 'reason!=Tested', names: ['old'] },
    { path: NEW, selector: 'source=tester', refused: 'field label not supported: source' },
    {
      path: CORE,
      selector: 'regarding.kind=Pod',
      refused: 'field label not supported: regarding.kind',
    },
  ];
  for (const { path, selector, names, refused } of cases) {
    const response = await server.request<{ items?: Event[]; message?: string }>(
      'GET',
      `${path}?fieldSelector=${encodeURIComponent(selector)}`,
    );
    assert.deepEqual(
      response.object.items?.map(({ metadata }) => metadata.name),
      names,
      selector,
    );
    if (refused) assert.equal(response.object.message, refused);
  }
});

describe('validation of events by group', () => {
  const refusals = [
    {
      name: 'the new group asks for a time',
      path: NEW,
      body: { ...timed, eventTime: null },
      message: 'Event "new" is invalid: eventTime: Required value',
    },
    {
      name: 'the new group asks for a DNS name',
      path: NEW,
      body: { ...timed, metadata: { generateName: 'A_' } },
      message: /^Event "" is invalid: \[?metadata\.generateName: Invalid value: "A_": /,
    },
    {
      name: 'the core group asks for a place',
      path: CORE,
      body: { ...old, involvedObject: { namespace: 'eu' } },
      message:
        'Event "old" is invalid: involvedObject.namespace: Invalid value: "eu": does not match event.namespace',
    },
  ];
  for (const { name, path, body, message } of refusals) {
    test(name, async () => {
      const { status, object } = await server.request<StatusError>('POST', path, { body });
      assert.equal(status, 422);
      if (typeof message === 'string') assert.equal(object.message, message);
      else assert.match(object.message, message);
    });
  }

  test('an event with generateName is valid', async () => {
    await create(NEW, { ...timed, metadata: { generateName: 'a-' } });
  });

  test('an update in events.k8s.io can change only the series, in the core group everything', async () => {
    await create(NEW, timed);
    const series = { count: 2, lastObservedTime: TIME };
    const going = await server.request('PATCH', `${NEW}/new`, { body: { series } });
    assert.equal(going.status, 200);
    const refused = await server.request<StatusError>('PATCH', `${NEW}/new`, {
      body: { note: 'x' },
    });
    assert.equal(
      refused.object.message,
      'Event "new" is invalid: message: Invalid value: "x": field is immutable',
    );
    const { status } = await server.request('PATCH', `${CORE}/new`, { body: { message: 'x' } });
    assert.equal(status, 200);
  });

  test('an update with an old resourceVersion gets 409, not errors of immutable fields', async () => {
    await create(NEW, timed);
    const body = { metadata: { resourceVersion: '1000000' }, note: 'x' };
    const { status } = await server.request('PATCH', `${NEW}/new`, { body });
    assert.equal(status, 409);
  });
});

test('an event expires after its ttl', async () => {
  await create(CORE, old);
  await server.clock.advance(59_000);
  assert.equal((await server.request('GET', `${CORE}/old`)).status, 200);
  await server.clock.advance(2_000);
  assert.equal((await server.request('GET', `${CORE}/old`)).status, 404);
});

describe('columns', () => {
  const base: Event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'a' },
    involvedObject: { kind: 'Pod', name: 'p', fieldPath: 'spec.x' },
    source: {},
    firstTimestamp: '2001-01-01T00:00:00Z',
    lastTimestamp: '2001-01-02T00:00:00Z',
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
    message: ' said \n',
    reason: 'Tested',
    type: 'Normal',
  };
  const cases: readonly { name: string; event: Event; cells: readonly unknown[] }[] = [
    {
      name: 'of an old one',
      event: { ...base, count: 3, source: { component: 'c', host: 'h' } },
      cells: [
        base.lastTimestamp,
        'Normal',
        'Tested',
        'pod/p',
        'spec.x',
        'c, h',
        'said',
        base.firstTimestamp,
        3,
        'a',
      ],
    },
    {
      name: 'of a new one, which happened once',
      event: {
        ...base,
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: TIME,
        involvedObject: { kind: 'Pod' },
        reportingComponent: 'example.com/tester',
      },
      cells: [TIME, 'Normal', 'Tested', 'pod', '', 'example.com/tester', 'said', TIME, 1, 'a'],
    },
    {
      name: 'of a series',
      event: { ...base, series: { count: 7, lastObservedTime: TIME } },
      cells: [TIME, 'Normal', 'Tested', 'pod/p', 'spec.x', '', 'said', base.firstTimestamp, 7, 'a'],
    },
  ];
  for (const { name, event: given, cells } of cases) {
    test(name, () =>
      assert.deepEqual(
        eventColumns.map(({ cell }) => cell(given)),
        cells,
      ),
    );
  }
});
