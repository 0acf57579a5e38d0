/** A client that creates owners and dependents, and deletes most owners: the garbage collector deletes the rest. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../../test/faults/api-client.ts';
import { API_PATH } from '../../test/faults/flunders.ts';
import { withClient } from '../../test/faults/namespace-run.ts';
import type { Target } from '../../test/faults/target.ts';
import { eventually, type SeededRandom } from '../../test/harness/index.ts';
import { checkOwners, type Dependent, type Owner, type OwnerViolation } from './owner-checker.ts';

export const OWNERS_NAMESPACE = 'owners';

export interface OwnerChurn {
  readonly owners: readonly Owner[];
  readonly dependents: readonly Dependent[];
  run(signal: AbortSignal): Promise<void>;
  /** Waits until what should be collected is, but not for ever; gives what is wrong then. */
  compareRow(withinMs: number): Promise<OwnerViolation[]>;
}

const RETAINED = 0.25;
const PAUSE_MS = { min: 200, max: 600 } as const;
const POLL_MS = 100;
const place = `namespaces/${OWNERS_NAMESPACE}`;
const CONFIG_MAPS = `/api/v1/${place}/configmaps`;
const KINDS = [
  { path: CONFIG_MAPS, content: { data: { text: 'owned' } } },
  { path: `/api/v1/${place}/secrets`, content: { stringData: { text: 'owned' } } },
  { path: `${API_PATH}/${place}/flunders`, content: { spec: {} } },
] as const;

export function createOwnerChurn(target: Target, random: SeededRandom): OwnerChurn {
  const owners: Owner[] = [];
  const dependents: Dependent[] = [];
  return {
    owners,
    dependents,
    run: async (signal) => {
      const client = new ApiClient('owners', target);
      try {
        for (let number = 0; !signal.aborted; number += 1) {
          const name = `owner-${number}`;
          const uid = await create(client, CONFIG_MAPS, { metadata: { name } });
          if (uid !== undefined) {
            dependents.push(...(await createDependents(client, { name, uid })));
            const isRetained = random.chance(RETAINED);
            const policy = random.pick(['Background', 'Foreground']);
            const ending = { client, name, uid, policy, signal };
            owners.push({ uid, fate: isRetained ? 'kept' : await end(ending) });
          }
          await sleep(random.int(PAUSE_MS.min, PAUSE_MS.max));
        }
      } finally {
        client.close();
      }
    },
    compareRow: (withinMs) =>
      withClient(target, 'judging', async (client) => {
        let violations: OwnerViolation[] | undefined;
        const isCollected = async () => {
          const final = await listUids(client);
          violations = final && checkOwners({ owners, dependents, final });
          return violations?.length === 0;
        };
        const stuck = (error: unknown): void => assert.ok(error instanceof assert.AssertionError);
        const options = { withinMs, everyMs: 500 };
        await eventually('all garbage is collected', isCollected, options).catch(stuck);
        if (violations === undefined) throw new Error('what has owners cannot be listed');
        return violations;
      }),
  };
}

async function createDependents(
  client: ApiClient,
  owner: { name: string; uid: string },
): Promise<Dependent[]> {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', ...owner, blockOwnerDeletion: true };
  const made: Dependent[] = [];
  for (const { path, content } of KINDS) {
    const name = `of-${owner.name}`;
    const object = { metadata: { name, ownerReferences: [reference] }, ...content };
    const uid = await create(client, path, object);
    if (uid !== undefined) made.push({ label: `${path}/${name}`, uid, owner: owner.uid });
  }
  return made;
}

/** The uid of an object whose create was acknowledged. */
async function create(
  client: ApiClient,
  path: string,
  object: object,
): Promise<string | undefined> {
  const reply = await client.send('POST', path, object).catch(() => undefined);
  if (reply?.status !== 201) return undefined;
  return (reply.body as { metadata: { uid: string } }).metadata.uid;
}

async function end(parts: {
  client: ApiClient;
  name: string;
  uid: string;
  policy: string;
  signal: AbortSignal;
}): Promise<Owner['fate']> {
  const { client, name, uid, policy, signal } = parts;
  const options = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid },
    propagationPolicy: policy,
  };
  while (!signal.aborted) {
    const reply = await client
      .send('DELETE', `${CONFIG_MAPS}/${name}`, options)
      .catch(() => undefined);
    // An attempt that was not answered may have succeeded.
    if (reply && (reply.status < 300 || reply.status === 404)) return 'deleted';
    await sleep(POLL_MS);
  }
  return 'unknown';
}

async function listUids(client: ApiClient): Promise<Set<string> | undefined> {
  const uids = new Set<string>();
  for (const { path } of KINDS) {
    const reply = await client.send('GET', path).catch(() => undefined);
    if (reply?.status !== 200) return undefined;
    const { items } = reply.body as { items: { metadata: { uid: string } }[] };
    for (const { metadata } of items) uids.add(metadata.uid);
  }
  return uids;
}
