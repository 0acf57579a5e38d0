/** A namespace goes with the objects of an extension server in it, by controllers that know nothing of that server. */
import assert from 'node:assert/strict';
import {
  askBackend,
  askFront,
  type Condition,
  flunder,
  flundersPath,
  makeNamespace,
  must,
  post,
  within,
} from './ask.ts';
import type { Site } from './site.ts';

const NAMESPACE = 'leaving';
const PATH = `/api/v1/namespaces/${NAMESPACE}`;
const FLUNDERS = flundersPath(NAMESPACE);
const COUNT = 20;
const FINALIZER = 'example.com/hold';
const HELD = `${FLUNDERS}/held`;
/** Controllers look again after some seconds. */
const DELETED_MS = 90_000;

export async function emptiesNamespaces(site: Site): Promise<void> {
  await makeNamespace(site, NAMESPACE);
  for (let index = 0; index < COUNT; index += 1) await post(site, FLUNDERS, flunder(`f-${index}`));
  await post(site, FLUNDERS, flunder('held', { finalizers: [FINALIZER] }));
  await post(site, `${PATH}/configmaps`, { metadata: { name: 'ours' } });
  await must(askFront(site, PATH, { method: 'DELETE' }));
  await within(DELETED_MS, async () => assert.deepEqual(await leftAtBackend(site), ['held']));
  await within(DELETED_MS, () => saysWhatRemains(site));
  const late = await askFront(site, FLUNDERS, { method: 'POST', body: flunder('late') });
  assert.equal(late.status, 403);
  assert.match(late.body, /because it is being terminated/);

  const headers = { 'content-type': 'application/merge-patch+json' };
  const body = { metadata: { finalizers: null } };
  await must(askFront(site, HELD, { method: 'PATCH', headers, body }));
  await within(DELETED_MS, async () => assert.equal((await askFront(site, PATH)).status, 404));
  assert.deepEqual(await leftAtBackend(site), []);
}

async function saysWhatRemains(site: Site): Promise<void> {
  const { status } = (await must(askFront(site, PATH))).json() as {
    status: { phase: string; conditions?: readonly Condition[] };
  };
  assert.equal(status.phase, 'Terminating');
  const remaining = status.conditions?.find(({ type }) => type === 'NamespaceFinalizersRemaining');
  assert.equal(remaining?.status, 'True', JSON.stringify(status));
  assert.match(remaining?.message ?? '', new RegExp(`${FINALIZER} in 1 resource instances`));
}

/** Past the aggregator, which could hide them. */
async function leftAtBackend(site: Site): Promise<string[]> {
  const response = await must(askBackend(site, FLUNDERS, site.front.admin));
  const { items } = response.json() as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
}
