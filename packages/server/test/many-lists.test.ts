import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startListener } from './listener-fixture.ts';

const BYTES = 1024 * 1024;
const LISTS = 40;

test('a client that asks for many lists at once on one connection, and reads slowly, gets them all', async () => {
  const chunk = Buffer.alloc(BYTES, 'x');
  await using fixture = await startListener(async () => ({
    kind: 'bytes',
    code: 200,
    contentType: 'application/json',
    chunks: [chunk],
  }));
  const session = connect(fixture.url, { ca: fixture.pki.ca.cert, maxSessionMemory: 500 });
  const read = async () => {
    const stream = session.request({ ':path': '/' });
    stream.pause();
    await sleep(200); // everything that can be sent ahead is sent
    let bytes = 0;
    for await (const part of stream) bytes += (part as Buffer).length;
    return bytes;
  };
  const lengths = await Promise.all(Array.from({ length: LISTS }, read));
  assert.deepEqual(new Set(lengths), new Set([BYTES]));
  session.destroy();
});
