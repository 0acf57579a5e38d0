/** Own process: it looks at the memory of the process. */
// Flags: --expose-gc
import assert from 'node:assert/strict';
import { type ClientHttp2Stream, connect } from 'node:http2';
import { test } from 'node:test';
import { openMemoryStorage, type Revision } from '@tributary/storage';
import { eventually, turns } from '../../../test/harness/index.ts';
import { forecasts, startFixture } from './server-fixture.ts';

const OBJECTS = 120;
const OBJECT_BYTES = 100_000;
const WATCHERS = 24;
/**
 * About the memory that the reference server uses for one slow watcher; all initial objects are twelve times as much.
 */
const BYTES_EACH_MAX = 1024 * 1024;
const ABSENT = 0 as Revision;

async function filledStorage() {
  const storage = openMemoryStorage();
  for (let at = 0; at < OBJECTS; at += 1) {
    const name = `f-${String(at).padStart(4, '0')}`;
    const metadata = {
      name,
      namespace: 'eu',
      uid: name,
      annotations: { a: 'x'.repeat(OBJECT_BYTES) },
    };
    const object = { kind: 'Forecast', apiVersion: 'weather.example.com/v1', metadata };
    const key = `/registry/weather.example.com/forecasts/eu/${name}`;
    await storage.commit({
      require: [{ key, revision: ABSENT }],
      writes: [{ kind: 'put', key, value: Buffer.from(JSON.stringify(object)) }],
    });
  }
  return storage;
}

test('watchers that do not read their initial events take little memory each, and get all events when they read', async (t) => {
  await using storage = await filledStorage();
  await using fixture = await startFixture({ storage });
  const { ca, admin } = fixture.pki;
  const warm = await fixture.request(`${forecasts}?limit=1`);
  assert.equal(warm.status, 200);
  const path = `${forecasts}?watch=true&resourceVersion=0&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
  const before = held();
  const streams: ClientHttp2Stream[] = [];
  let begun = 0;
  for (let at = 0; at < WATCHERS; at += 1) {
    const session = connect(fixture.server.url, { ca: ca.cert, cert: admin.cert, key: admin.key });
    t.after(() => session.destroy());
    const stream = session.request({ ':path': path });
    stream.once('response', (headers) => {
      assert.equal(headers[':status'], 200);
      begun += 1;
    });
    streams.push(stream.pause());
  }
  await eventually('all watches have begun', () => begun === WATCHERS);
  // Everything that can be sent ahead has been sent when no watch receives more.
  await turns(200);
  const each = (held() - before) / WATCHERS;
  t.diagnostic(`${Math.round(each / 1024)} KiB for each watcher`);
  assert.ok(each < BYTES_EACH_MAX, `${each} bytes for each watcher`);
  const [first] = streams;
  assert.ok(first !== undefined);
  let text = '';
  first.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  first.resume();
  await eventually('a watcher that reads gets them all', () => text.includes('initial-events-end'));
  const lines = text.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).type),
    [...Array.from({ length: OBJECTS }, () => 'ADDED'), 'BOOKMARK'],
  );
});

function held(): number {
  globalThis.gc?.();
  const { arrayBuffers, external } = process.memoryUsage();
  return arrayBuffers + external;
}
