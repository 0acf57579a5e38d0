import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Alongside } from '@tributary/server';
import { ABSENT, type Revision, StorageUnreadable, type Stored } from '@tributary/storage';
import type { Service } from '../../generated/core-v1.ts';
import { withEndpoints } from './endpoints-along.ts';

const KEY = '/registry/core/endpoints/default/a';
const REVISION = 7 as Revision;
const TIME = '2030-01-01T00:00:00Z';

const service: Service = {
  kind: 'Service',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default' },
  spec: { type: 'ClusterIP' },
  status: { loadBalancer: {} },
};

const address = {
  kind: 'delete' as const,
  key: '/registry/networking.k8s.io/ipaddresses/10.0.0.1',
};
const own: Alongside<Service> = {
  writes: () => ({ require: [], writes: [address] }),
  lost: () => {},
};

function endpoints(metadata: object): Stored {
  const object = { kind: 'Endpoints', apiVersion: 'v1', metadata: { name: 'a', ...metadata } };
  return { key: KEY, value: Buffer.from(JSON.stringify(object)), revision: REVISION };
}

async function writesFor(found: () => Stored | undefined, change: object = { live: service }) {
  const along = withEndpoints(own, () => Date.parse(TIME));
  return along.writes(change, async (key) => {
    assert.equal(key, KEY);
    return found();
  });
}

describe('the Endpoints of a service that goes', () => {
  const held = { finalizers: ['example.com/held'] };
  const marked = { ...held, deletionTimestamp: TIME, deletionGracePeriodSeconds: 0 };

  test('go in the same write, as they are', async () => {
    const { require, writes } = await writesFor(() => endpoints({}));
    assert.deepEqual(require, [{ key: KEY, revision: REVISION }]);
    assert.deepEqual(writes, [address, { kind: 'delete', key: KEY }]);
  });

  test('must still be absent when there are none', async () => {
    const { require, writes } = await writesFor(() => undefined);
    assert.deepEqual(require, [{ key: KEY, revision: ABSENT }]);
    assert.deepEqual(writes, [address]);
  });

  test('are marked when a finalizer holds them', async () => {
    const [, write] = (await writesFor(() => endpoints(held))).writes;
    assert.ok(write?.kind === 'put');
    assert.deepEqual(JSON.parse(Buffer.from(write.value).toString()).metadata, {
      name: 'a',
      ...marked,
    });
  });

  test('are left when they are marked already', async () => {
    assert.deepEqual((await writesFor(() => endpoints(marked))).writes, [address]);
  });

  test('do not keep it when nobody can read them', async () => {
    const unreadable = { key: KEY, revision: REVISION, keyName: undefined, problem: 'no key' };
    const found = await writesFor(() => {
      throw new StorageUnreadable(unreadable);
    });
    assert.deepEqual(found, { require: [], writes: [address] });
  });

  test('keep it while the store does not answer', async () => {
    const failing = writesFor(() => {
      throw new Error('away');
    });
    await assert.rejects(failing, /away/);
  });
});

test('a service that stays leaves its Endpoints alone', async () => {
  const look = () => assert.fail('nobody needs them');
  for (const change of [{ next: service }, { next: service, live: service }]) {
    assert.deepEqual(await writesFor(look, change), { require: [], writes: [address] });
  }
});
