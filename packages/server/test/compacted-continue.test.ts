import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMemoryStorage } from '@tributary/storage';
import { forecast, forecasts, startFixture } from './server-fixture.ts';

test('a continue token older than the compaction is 410, also when no object of its kind has changed since', async () => {
  await using storage = openMemoryStorage();
  await using fixture = await startFixture({ storage });
  for (const name of ['a', 'b', 'c']) {
    const body = forecast(name);
    const { status } = await fixture.request(forecasts, { method: 'POST', body });
    assert.equal(status, 201);
  }
  const page = JSON.parse(String((await fixture.request(`${forecasts}?limit=1`)).body));
  const path = `${forecasts}?limit=1&continue=${page.metadata.continue}`;
  assert.equal((await fixture.request(path)).status, 200);
  const exact = `${forecasts}?resourceVersionMatch=Exact&resourceVersion=${page.metadata.resourceVersion}`;
  assert.equal((await fixture.request(exact)).status, 200);
  for (const key of ['/elsewhere/1', '/elsewhere/2']) {
    await storage.commit({ require: [], writes: [{ kind: 'put', key, value: Buffer.from('{}') }] });
  }
  await storage.compact(await storage.currentRevision());
  const late = await fixture.request(path);
  const status = JSON.parse(String(late.body));
  assert.equal(late.status, 410, String(late.body));
  assert.equal(status.reason, 'Expired');
  assert.ok(status.metadata.continue, 'with a token to go on');
  assert.equal((await fixture.request(exact)).status, 410);
  const next = await fixture.request(
    `${forecasts}?limit=1&continue=${encodeURIComponent(status.metadata.continue)}`,
  );
  assert.equal(JSON.parse(String(next.body)).items[0].metadata.name, 'b');
});
