import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStorage, StorageUnavailable } from '@tributary/storage';
import { startFixture } from './server-fixture.ts';

test('a store that cannot be written to makes a server not ready, and it stays alive', async () => {
  let problem: string | undefined = 'the disk is full';
  const storage = Object.assign(openMemoryStorage(), {
    checkWritable: async () => {
      if (problem !== undefined) throw new StorageUnavailable(problem);
    },
  });
  await using fixture = await startFixture({ storage });
  const ready = await fixture.request('/readyz');
  assert.equal(ready.status, 500);
  assert.match(String(ready.body), /\[-\]storage-writable failed/);
  assert.equal((await fixture.request('/livez')).status, 200);
  assert.equal((await fixture.request('/healthz')).status, 200);
  problem = undefined;
  assert.equal((await fixture.request('/readyz')).status, 200);
});
