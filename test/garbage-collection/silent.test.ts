/** A server behind the aggregator that takes requests and does not answer them: others are collected as ever. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/index.ts';
import { collectionPath, coreKinds, type TestKind } from './kinds.ts';
import { startSimulatedSite } from './simulated-site.ts';

const [configMap, secret, role] = coreKinds as [TestKind, TestKind, TestKind];
/** More than the collector has workers. */
const WAITING = 30;

test('nothing waits for a silent server but what depends on it', async (t) => {
  // Its requests are never over time, so whatever waits for one waits until the server answers.
  const site = await startSimulatedSite(t, { withoutPeriods: true });
  const make = async (kind: TestKind, name: string, owner?: { name: string; uid: string }) => {
    const references = owner ? [{ apiVersion: 'v1', kind: 'ConfigMap', ...owner }] : [];
    const ownerReferences = references.map((one) => ({ ...one, blockOwnerDeletion: true }));
    const { apiVersion, kind: kindName, content } = kind;
    const object = { apiVersion, kind: kindName, metadata: { name, ownerReferences }, ...content };
    const { status, body } = await site.send('POST', collectionPath(kind, 'default'), object);
    assert.equal(status, 201, JSON.stringify(body));
    return { name, uid: (body as { metadata: { uid: string } }).metadata.uid };
  };
  const pathOf = (kind: TestKind, name: string) => `${collectionPath(kind, 'default')}/${name}`;
  const statusOf = async (path: string) => (await site.send('GET', path)).status;
  const remove = async (path: string, propagationPolicy: string) => {
    const { status, body } = await site.send('DELETE', path, { propagationPolicy });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const untilGone = (path: string) =>
    eventually(`${path} is gone`, async () => (await statusOf(path)) === 404);
  const waiting = Array.from({ length: WAITING }, (_, index) => `waiting-${index}`);
  for (const name of waiting) await make(role, name, await make(configMap, name));
  for (const name of ['background', 'foreground']) {
    await make(secret, name, await make(configMap, name));
  }

  site.setSilent(true);
  for (const name of waiting) await remove(pathOf(configMap, name), 'Foreground');
  await eventually('the collector waits for the server', () => site.unanswered() > 0);
  await remove(pathOf(configMap, 'background'), 'Background');
  await remove(pathOf(configMap, 'foreground'), 'Foreground');
  for (const name of ['background', 'foreground']) {
    await untilGone(pathOf(secret, name));
    await untilGone(pathOf(configMap, name));
  }
  for (const name of waiting) assert.equal(await statusOf(pathOf(configMap, name)), 200, name);

  site.setSilent(false);
  for (const name of waiting) {
    await untilGone(pathOf(role, name));
    await untilGone(pathOf(configMap, name));
  }
});
