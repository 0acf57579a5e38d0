/** Random owner graphs with a collector that is restarted and a group that goes away; and broken collectors, which are found out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFull } from '../../interop/full.ts';
import { SeededRandom, seededRandom } from '../harness/index.ts';
import type { Mutant } from './faulty-client.ts';
import type { Deletion, ModelObject } from './model.ts';
import { namespacesOf, runGraph, runRounds } from './run-graph.ts';
import { type SimulatedSite, startSimulatedSite } from './simulated-site.ts';

const GRAPHS = isFull ? 40 : 2;
const SIZE = { size: 40, rounds: 4, deletions: 4 } as const;
const WITHIN_MS = 20_000;
/** For what is not going to happen. */
const MUTANT_WITHIN_MS = 10_000;
const AWAY_MS_MAX = 400;
/** Until a collector that begins has looked at everything. */
const RESTARTED_MS = 1_500;

async function disturb(site: SimulatedSite, random: SeededRandom): Promise<void> {
  await sleep(random.int(0, 30));
  site.setAway(true);
  if (random.chance(0.5)) await site.restartCollector();
  await sleep(random.int(0, AWAY_MS_MAX));
  site.setAway(false);
}

test('random owner graphs, a collector that is restarted, and a group that goes away', async (t) => {
  const random = seededRandom(t);
  const site = await startSimulatedSite(t);
  for (let graph = 0; graph < GRAPHS; graph += 1) {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    const disturbed = () => disturb(site, own);
    await runGraph(site, own, { ...SIZE, withinMs: WITHIN_MS, disturb: disturbed });
  }
});

/** One round for each way in which a collector of these tests can be broken. */
const rounds: readonly (readonly Deletion[])[] = [
  [{ name: 'n-leaves', policy: 'Orphan' }],
  [{ name: 'n-takes', policy: 'Background' }],
  [{ name: 'n-last', policy: 'Background' }],
];

async function runEach(site: SimulatedSite): Promise<void> {
  const random = new SeededRandom(7);
  const [namespace = ''] = namespacesOf(random);
  const object = (kind: string, name: string, owner?: string): [string, ModelObject] => [
    name,
    { kind, name, namespace, owners: owner === undefined ? [] : [{ owner, blocks: true }] },
  ];
  const graph = new Map([
    object('Role', 'n-elsewhere'),
    object('ConfigMap', 'n-of-elsewhere', 'n-elsewhere'),
    object('ConfigMap', 'n-leaves'),
    object('Secret', 'n-left', 'n-leaves'),
    object('ConfigMap', 'n-takes'),
    object('Secret', 'n-taken', 'n-takes'),
    object('ConfigMap', 'n-last'),
  ]);
  const disturbLast = async (round: number) => {
    if (round < rounds.length) return;
    site.setAway(true);
    await site.restartCollector();
    await sleep(RESTARTED_MS);
    site.setAway(false);
  };
  await runRounds(
    site,
    { random, graph, choose: (_, round) => rounds[round - 1] },
    { withinMs: MUTANT_WITHIN_MS, disturb: disturbLast },
  );
}

const mutants: readonly { readonly mutant: Mutant; readonly leaves: 'too little' | 'too much' }[] =
  [
    { mutant: 'unavailable is absent', leaves: 'too little' },
    { mutant: 'orphans are not told', leaves: 'too little' },
    { mutant: 'deletions are missed', leaves: 'too much' },
  ];

// Most of the time they wait for what does not happen.
describe('a broken collector is found out', { concurrency: true }, () => {
  test('one that is not broken passes', async (t) => {
    await runEach(await startSimulatedSite(t));
  });

  for (const { mutant, leaves } of mutants) {
    test(`${mutant}: ${leaves} is left`, async (t) => {
      const error = await failureOf(runEach(await startSimulatedSite(t, { mutant })));
      assert.ok(error instanceof assert.AssertionError, String(error));
      const left = (error.actual as readonly string[]).length;
      const wanted = (error.expected as readonly string[]).length;
      assert.equal(left < wanted ? 'too little' : 'too much', leaves, error.message);
    });
  }
});

async function failureOf(promise: Promise<void>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error;
  }
}
