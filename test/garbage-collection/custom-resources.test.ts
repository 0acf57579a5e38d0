/** Custom resources as owners and as dependents, and what becomes of dependents when the kind goes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../harness/index.ts';
import { collectionPath, coreKinds, customKinds, type TestKind } from './kinds.ts';
import { type SimulatedSite, startSimulatedSite } from './simulated-site.ts';

const [configMap] = coreKinds as [TestKind];
const [gizmo] = customKinds as [TestKind];
/** There is no look at everything after half a minute: the collector is told, or never knows. */
const REPORTED = { withoutPeriods: true };

test('what custom resources own goes with them, and with their definition', async (t) => {
  const site = await startSimulatedSite(t, REPORTED);
  const one = await make(site, gizmo, 'one');
  const two = await make(site, gizmo, 'two');
  const owner = await make(site, configMap, 'owner');
  await make(site, configMap, 'of-one', [one]);
  await make(site, configMap, 'of-two', [two]);
  await make(site, gizmo, 'shared', [one, owner]);

  await t.test('one of two owners goes: a custom resource keeps the other', async () => {
    await remove(site, pathOf(configMap, 'owner'));
    const hasOneOwner = async () => {
      const { body } = await site.send('GET', pathOf(gizmo, 'shared'));
      const { metadata } = body as { metadata: { ownerReferences?: readonly { uid: string }[] } };
      const uids = metadata.ownerReferences?.map(({ uid }) => uid);
      return uids?.length === 1 && uids[0] === one.uid;
    };
    await eventually('the reference is gone', hasOneOwner);
  });

  await t.test('a custom resource goes, and what it owns', async () => {
    await remove(site, pathOf(gizmo, 'one'));
    await untilGone(site, pathOf(configMap, 'of-one'));
    await untilGone(site, pathOf(gizmo, 'shared'));
  });

  await t.test('the definition goes, and what its resources owned', async () => {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await remove(site, `${definitions}/gizmos.gizmos.example.com`);
    await untilGone(site, pathOf(configMap, 'of-two'));
  });
});

interface Made {
  readonly kind: TestKind;
  readonly name: string;
  readonly uid: string;
}

async function make(
  site: SimulatedSite,
  kind: TestKind,
  name: string,
  owners: readonly Made[] = [],
): Promise<Made> {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: owner.kind.apiVersion,
    kind: owner.kind.kind,
    name: owner.name,
    uid: owner.uid,
  }));
  const { apiVersion, kind: kindName } = kind;
  const object = { apiVersion, kind: kindName, metadata: { name, ownerReferences } };
  const { status, body } = await site.send('POST', collectionPath(kind, 'default'), object);
  assert.equal(status, 201, JSON.stringify(body));
  return { kind, name, uid: (body as { metadata: { uid: string } }).metadata.uid };
}

function pathOf(kind: TestKind, name: string): string {
  return `${collectionPath(kind, 'default')}/${name}`;
}

async function remove(site: SimulatedSite, path: string): Promise<void> {
  const { status, body } = await site.send('DELETE', path, { propagationPolicy: 'Background' });
  assert.equal(status, 200, JSON.stringify(body));
}

async function untilGone(site: SimulatedSite, path: string): Promise<void> {
  const isGone = async () => (await site.send('GET', path)).status === 404;
  await eventually(`${path} is gone`, isGone);
}
