import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConfigMap } from '@tributary/api/core-v1';
import { systemClock } from '@tributary/client';
import { configMaps, SharedInformers } from '@tributary/client/controller';
import { startTestCore } from './core-fixture.ts';

test('an informer with a field selector holds only matching objects and is shared per selector', async () => {
  await using core = await startTestCore();
  const errors: unknown[] = [];
  await using informers = new SharedInformers({
    client: core.server.client,
    clock: systemClock,
    onError: (error) => errors.push(error),
  });
  const maps = core.admin.resource<ConfigMap>(configMaps).in('default');
  for (const name of ['one', 'other']) await maps.create({ metadata: { name } });

  const selector = 'metadata.namespace=default,metadata.name=one';
  const selected = informers.of<ConfigMap>(configMaps, selector);
  const everything = informers.of<ConfigMap>(configMaps);
  assert.equal(informers.of(configMaps, selector), selected);
  assert.equal(informers.of(configMaps), everything);
  await informers.whenSynced(AbortSignal.timeout(30_000));

  assert.deepEqual(
    selected.store.list().map(({ metadata }) => metadata.name),
    ['one'],
  );
  for (const name of ['one', 'other']) assert.ok(everything.store.get(`default/${name}`));
  assert.deepEqual(errors, []);
});
