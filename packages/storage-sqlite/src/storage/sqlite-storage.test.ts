import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type Revision, StorageUnavailable } from '@tributary/storage';
import { turns } from '../../../../test/harness/turns.ts';
import { SqliteStorageClient } from './sqlite-storage.ts';

/** A store whose thread misbehaves. */
function withWorker(code: string): SqliteStorageClient {
  const worker = new Worker(`const { parentPort } = require('node:worker_threads'); ${code}`, {
    eval: true,
  });
  return new SqliteStorageClient(worker, { revision: 5 as Revision, compacted: 1 as Revision });
}

const put = { require: [], writes: [{ kind: 'put' as const, key: 'a', value: Buffer.from('a') }] };

const ends = [
  { name: 'throws', code: "parentPort.on('message', () => { throw new Error('a bug') })" },
  { name: 'ends', code: "parentPort.on('message', () => process.exit(7))" },
];
for (const { name, code } of ends) {
  test(`when the thread ${name}, pending and later calls reject`, async () => {
    const storage = withWorker(code);
    const waiting = [storage.commit(put), storage.get('a'), storage.list(''), storage.count('')];
    for (const result of await Promise.allSettled(waiting)) {
      assert.ok(result.status === 'rejected' && result.reason instanceof StorageUnavailable);
    }
    assert.ok((await storage.whenFailed()) instanceof StorageUnavailable);
    const { signal } = new AbortController();
    const feed = storage.feed(5 as Revision, { signal })[Symbol.asyncIterator]();
    await assert.rejects(async () => feed.next(), StorageUnavailable);
    await assert.rejects(storage.commit(put), StorageUnavailable);
    await assert.rejects(storage.currentRevision(), StorageUnavailable);
    await storage.close();
  });
}

test('an aborted read ends at once in the thread', async () => {
  const storage = withWorker("parentPort.on('message', () => {})");
  const stop = new AbortController();
  const reason = new Error('the client went away');
  const { signal } = stop;
  const reads = [
    storage.get('a', { signal }),
    storage.list('', { signal }),
    storage.stats({ signal }),
  ];
  await turns();
  stop.abort(reason);
  for (const result of await Promise.allSettled(reads)) {
    assert.ok(result.status === 'rejected' && result.reason === reason);
  }
});

test('acknowledgedRevision needs no message to the thread', async () => {
  const storage = withWorker('');
  assert.equal(await storage.currentRevision(), 5);
});
