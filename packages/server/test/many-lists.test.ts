import assert from 'node:assert/strict';
import { type ClientHttp2Stream, connect } from 'node:http2';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { eventually, turns } from '../../../test/harness/index.ts';
import { startListener } from './listener-fixture.ts';

const BYTES = 1024 * 1024;
const LISTS = 40;

test('a client that asks for many lists at once on one connection, and reads slowly, gets them all', async () => {
  const chunk = Buffer.alloc(BYTES, 'x');
  let asked = 0;
  await using fixture = await startListener(async () => {
    asked += 1;
    return { kind: 'bytes', code: 200, contentType: 'application/json', chunks: [chunk] };
  });
  const session = connect(fixture.url, { ca: fixture.pki.ca.cert, maxSessionMemory: 500 });
  const ping = promisify((done: (error: Error | null) => void) => session.ping(done));
  const streams: ClientHttp2Stream[] = [];
  // The later half comes while the answers to the first one lie in the memory of the session.
  for (const count of [LISTS / 2, LISTS]) {
    while (streams.length < count) streams.push(session.request({ ':path': '/' }).pause());
    await eventually('all were asked for', () => asked === count);
    // A ping is answered behind what can be sent ahead.
    await turns();
    await ping();
  }
  const read = async (stream: ClientHttp2Stream) => {
    let bytes = 0;
    for await (const part of stream) bytes += (part as Buffer).length;
    return bytes;
  };
  const lengths = await Promise.all(streams.map(read));
  assert.deepEqual(new Set(lengths), new Set([BYTES]));
  session.destroy();
});
