/** Objects with dependents, and what becomes of those when the owner is deleted. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Gateway } from '../../test/aggregator/gateway-program.ts';
import { passCollector } from '../../test/garbage-collection/run-graph.ts';
import { eventually } from '../../test/harness/index.ts';
import {
  configMap,
  flunder,
  type Kind,
  type Made,
  make,
  makeNamespace,
  type PropagationPolicy,
  read,
  release,
  remove,
  secret,
  untilGone,
} from './objects.ts';

export interface Family {
  readonly owner: Made;
  /** One of each kind, here and behind the aggregator. */
  readonly dependents: readonly Made[];
}

interface FamilyOptions {
  readonly namespace: string;
  /** Of the owner. */
  readonly kind: Kind;
  /** Of the dependents. */
  readonly finalizers?: readonly string[];
}

export async function makeFamily(
  gateway: Gateway,
  { namespace, kind, finalizers = [] }: FamilyOptions,
): Promise<Family> {
  const owner = await make(gateway, kind, { namespace, name: 'owner' });
  const dependents: Made[] = [];
  for (const child of [configMap, secret, flunder]) {
    dependents.push(await make(gateway, child, { namespace, name: 'child', owner, finalizers }));
  }
  return { owner, dependents };
}

export const HOLD = 'example.com/hold';

/** Every way to delete an owner of this kind. */
export async function cascades(t: TestContext, gateway: Gateway, kind: Kind): Promise<void> {
  const begin = async (policy: PropagationPolicy, finalizers?: string[]): Promise<Family> => {
    const namespace = `${kind.plural}-${policy.toLowerCase()}`;
    await makeNamespace(gateway, namespace);
    const family = await makeFamily(gateway, {
      namespace,
      kind,
      ...(finalizers && { finalizers }),
    });
    await remove(gateway, family.owner.path, policy);
    return family;
  };

  await t.test(`what a ${kind.kind} owns goes after it`, async () => {
    const { owner, dependents } = await begin('Background', [HOLD]);
    assert.equal(await read(gateway, owner.path), undefined);
    for (const { path } of dependents) {
      await untilLeaving(gateway, path);
      await release(gateway, path, HOLD);
      await untilGone(gateway, path);
    }
  });

  await t.test(`what a ${kind.kind} owns goes before it in the foreground`, async () => {
    const { owner, dependents } = await begin('Foreground', [HOLD]);
    for (const { path } of dependents) {
      await untilLeaving(gateway, path);
      const waiting = await read(gateway, owner.path);
      assert.deepEqual(waiting?.metadata.finalizers, ['foregroundDeletion']);
      await release(gateway, path, HOLD);
    }
    await untilGone(gateway, owner.path);
    for (const { path } of dependents) assert.equal(await read(gateway, path), undefined);
  });

  await t.test(`what a ${kind.kind} owns stays as an orphan`, async () => {
    const { owner, dependents } = await begin('Orphan');
    await untilGone(gateway, owner.path);
    await passCollector(gateway); // Which might still take them for garbage.
    for (const { path } of dependents) {
      const left = await read(gateway, path);
      assert.ok(left, `${path} is there`);
      assert.equal(left.metadata.ownerReferences, undefined);
      assert.equal(left.metadata.deletionTimestamp, undefined);
    }
  });
}

async function untilLeaving(gateway: Gateway, path: string): Promise<void> {
  await eventually(`${path} is being deleted`, async () => {
    const found = await read(gateway, path);
    return found?.metadata.deletionTimestamp !== undefined;
  });
}
