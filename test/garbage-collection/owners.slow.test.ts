/**
 * Every way to delete an owner, here and behind the aggregator; and a server there that is silent: others are collected
 * as ever, and nothing is taken for garbage that is not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cascades } from '../../interop/controllers/families.ts';
import { flunder as flunderKind, configMap as mapKind } from '../../interop/controllers/objects.ts';
import { eventually } from '../harness/index.ts';
import { collectionPath, coreKinds, type TestKind, wardleKinds } from './kinds.ts';
import type { Policy } from './model.ts';
import { type OurSite, startOurSite } from './our-site.ts';
import { passCollector } from './run-graph.ts';

const [configMap, secret] = coreKinds as [TestKind, TestKind];
const [flunder] = wardleKinds as [TestKind];
/** That nothing waits for the silent server is tested in silent.test.ts, where its timeout never ends. */
const GONE = { withinMs: 60_000, everyMs: 50 };

interface Made {
  readonly kind: TestKind;
  readonly name: string;
  readonly uid: string;
}

test('owners here and behind the aggregator, also while a server is silent', async (t) => {
  const site = await startOurSite(t);
  for (const kind of [mapKind, flunderKind]) await cascades(t, site.gateway(), kind);
  const ofFlunder = await make(site, flunder, 'owner');
  const depends = await make(site, configMap, 'depends', [ofFlunder]);
  const holds = await make(site, configMap, 'holds');
  const held = await make(site, flunder, 'held', [holds]);
  const orphans = await make(site, configMap, 'orphans');
  const orphan = await make(site, flunder, 'orphan', [orphans]);
  const background = await family(site, 'background');
  const foreground = await family(site, 'foreground');
  const later = await family(site, 'later');
  const afterRestart = await family(site, 'after-restart');
  site.wardle.signal('SIGSTOP');

  await t.test('others are collected before anybody knows', async () => {
    for (const [policy, { owner, dependent }] of [
      ['Background', background],
      ['Foreground', foreground],
    ] as const) {
      await remove(site, owner, policy);
      await untilGone(site, [owner, dependent]);
    }
  });

  await site.untilAvailable('False');
  await t.test('and when it is known', async () => {
    await remove(site, later.owner, 'Foreground');
    await untilGone(site, [later.owner, later.dependent]);
  });

  await t.test('who is deleted and has dependents there waits, and nobody else', async () => {
    await remove(site, holds, 'Foreground');
    await remove(site, orphans, 'Orphan');
    await passCollector(site);
    for (const made of [holds, orphans, depends]) assert.ok(await isThere(site, made), made.name);
  });

  await t.test('so it is for a collector that begins now', async () => {
    await site.core.kill();
    await site.core.start();
    await remove(site, afterRestart.owner, 'Background');
    await untilGone(site, [afterRestart.owner, afterRestart.dependent]);
    await passCollector(site);
    for (const made of [orphans, depends]) assert.ok(await isThere(site, made), made.name);
  });

  await t.test('it is back: all its objects are, and what waited is done', async () => {
    site.wardle.signal('SIGCONT');
    await site.untilAvailable('True');
    await untilGone(site, [holds, held, orphans]);
    for (const made of [ofFlunder, depends, orphan]) {
      assert.ok(await isThere(site, made), made.name);
    }
    await remove(site, ofFlunder, 'Background');
    await untilGone(site, [depends]);
    assert.ok(await isThere(site, orphan), 'the orphan stays');
  });
});

async function family(site: OurSite, name: string): Promise<{ owner: Made; dependent: Made }> {
  const owner = await make(site, configMap, name);
  return { owner, dependent: await make(site, secret, name, [owner]) };
}

async function make(
  site: OurSite,
  kind: TestKind,
  name: string,
  owners: readonly Made[] = [],
): Promise<Made> {
  const ownerReferences = owners.map((owner) => ({
    apiVersion: owner.kind.apiVersion,
    kind: owner.kind.kind,
    name: owner.name,
    uid: owner.uid,
    blockOwnerDeletion: true,
  }));
  const object = { metadata: { name, ownerReferences }, ...kind.content };
  const { apiVersion, kind: kindName } = kind;
  const body = { apiVersion, kind: kindName, ...object };
  const response = await site.send('POST', collectionPath(kind, 'default'), body);
  assert.equal(response.status, 201, JSON.stringify(response.body));
  const { metadata } = response.body as { metadata: { uid: string } };
  return { kind, name, uid: metadata.uid };
}

async function remove(site: OurSite, made: Made, propagationPolicy: Policy): Promise<void> {
  const { status, body } = await site.send('DELETE', pathOf(made), { propagationPolicy });
  assert.equal(status, 200, JSON.stringify(body));
}

async function isThere(site: OurSite, made: Made): Promise<boolean> {
  const { status, body } = await site.send('GET', pathOf(made));
  assert.ok(status === 200 || status === 404, JSON.stringify(body));
  return status === 200;
}

async function untilGone(site: OurSite, all: readonly Made[]): Promise<void> {
  for (const made of all) {
    await eventually(`${made.name} is gone`, async () => !(await isThere(site, made)), GONE);
  }
}

function pathOf({ kind, name }: Made): string {
  return `${collectionPath(kind, 'default')}/${name}`;
}
