import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ConfigMap } from '@tributary/api/core-v1';
import { type Client, createClient } from '@tributary/client';
import { configMaps } from '@tributary/client/controller';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { manualClock } from '@tributary/storage';
import { configMapKind } from '../kinds/core/config-map/kind.ts';
import { trackingDateCheck } from './legacy-token-tracking.ts';

const NAME = 'kube-apiserver-legacy-service-account-token-tracking';
const NOON_MS = Date.UTC(2031, 1, 3, 12);
const HALF_HOUR_MS = 30 * 60_000;

describe('the start date of legacy token tracking', () => {
  let server: TestServer;
  let client: Client;
  before(async () => {
    server = await startTestServer(
      defineApi({ group: '', builtIn: true, resources: [configMapKind] }),
    );
    const port = await server.listen();
    client = createClient({
      server: port.url,
      ca: { pem: port.ca },
      identity: { authorization: { kind: 'token', token: port.token } },
      namespace: 'default',
    });
  });
  after(async () => {
    await client.close();
    await server.close();
  });
  beforeEach(() => server.reset());

  const maps = () => client.resource<ConfigMap>(configMaps).in('kube-system');
  const { signal } = new AbortController();
  const createMap = (since: string) =>
    maps().create({ metadata: { name: NAME }, data: { since, other: 'unchanged' } });

  test('is today when there is none', async () => {
    const clock = manualClock(NOON_MS);
    assert.equal(await trackingDateCheck({ client, clock, signal })(), undefined);
    assert.deepEqual((await maps().get(NAME)).data, { since: '2031-02-03' });
  });

  test('is created again after a deletion, at most every half hour', async () => {
    const clock = manualClock(NOON_MS);
    const look = trackingDateCheck({ client, clock, signal });
    await look();
    await maps().delete(NAME);
    clock.advance(60_000);
    assert.equal(await look(), HALF_HOUR_MS - 60_000);
    await assert.rejects(maps().get(NAME), /not found/);
    clock.advance(HALF_HOUR_MS - 60_000);
    assert.equal(await look(), undefined);
    await maps().get(NAME);
  });

  for (const since of ['2001-02-03', '2999-12-31', '2028-02-29']) {
    test(`stays ${since}`, async () => {
      const { metadata } = await createMap(since);
      await trackingDateCheck({ client, clock: manualClock(NOON_MS), signal })();
      assert.equal((await maps().get(NAME)).metadata.resourceVersion, metadata.resourceVersion);
    });
  }

  for (const since of [
    '',
    'never',
    '2001-2-3',
    '2001-02-30',
    '2001-13-01',
    '2001-02-03T00:00:00Z',
  ]) {
    test(`does not stay "${since}"`, async () => {
      await createMap(since);
      await trackingDateCheck({ client, clock: manualClock(NOON_MS), signal })();
      assert.deepEqual((await maps().get(NAME)).data, { since: '2031-02-03', other: 'unchanged' });
    });
  }
});
