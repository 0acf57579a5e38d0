import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLog } from './event-log.ts';
import type { Json } from './json.ts';

async function* stream(events: readonly Json[], stayOpen: Promise<void>): AsyncGenerator<Json> {
  yield* events;
  await stayOpen;
}

const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } };
const end = {
  type: 'BOOKMARK',
  object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
};
const added = { type: 'ADDED', object: {} };
const open = Promise.withResolvers<void>().promise;

test('waits for as many events as asked, and not for ever', async () => {
  const log = new EventLog(stream([added, added], open), { keepBookmarks: false });
  await log.wait({ events: 2, patienceMs: 5_000 });
  await log.wait({ events: 3, patienceMs: 10 });
  assert.deepEqual(log.events, [added, added]);
  assert.equal(log.closed, false);
});

test('leaves out bookmarks that only mark time', async () => {
  const log = new EventLog(stream([bookmark, end, added], open), { keepBookmarks: false });
  await log.wait({ events: 2, patienceMs: 5_000 });
  assert.deepEqual(log.events, [end, added]);
});

test('keeps them when asked', async () => {
  const log = new EventLog(stream([bookmark], open), { keepBookmarks: true });
  await log.wait({ events: 1, patienceMs: 5_000 });
  assert.deepEqual(log.events, [bookmark]);
});

test('notices the end of the stream', async () => {
  const log = new EventLog(stream([added], Promise.resolve()), { keepBookmarks: false });
  await log.wait({ events: 'closed', patienceMs: 5_000 });
  assert.equal(log.closed, true);
});

test('a stream that breaks is an event of its own', async () => {
  const broken = Promise.reject(new Error('https://127.0.0.1:5/x: cut'));
  const log = new EventLog(stream([added], broken), { keepBookmarks: false });
  await log.wait({ events: 'closed', patienceMs: 5_000 });
  assert.deepEqual(log.events, [added, { type: '<broken>', object: 'Error: <url> cut' }]);
});
