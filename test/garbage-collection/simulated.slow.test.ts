/** Random owner graphs with a collector that is restarted and a group that goes away; and broken collectors, which are found out. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFull } from '../../interop/full.ts';
import { SeededRandom, seededRandom, turns } from '../harness/index.ts';
import type { Mutant } from './faulty-client.ts';
import type { Deletion, ModelObject } from './model.ts';
import { namespacesOf, passCollector, runGraph, runRounds, type UnderWay } from './run-graph.ts';
import { type SimulatedSite, startSimulatedSite } from './simulated-site.ts';

const GRAPHS = isFull ? 40 : 2;
const SIZE = { size: 40, rounds: 4, deletions: 4 } as const;
const WITHIN_MS = 60_000;
/** For what is not going to happen. */
const MUTANT_WITHIN_MS = 10_000;
const TURNS_MAX = 300;

async function disturb(
  site: SimulatedSite,
  random: SeededRandom,
  deletions: UnderWay,
): Promise<void> {
  await deletions.acknowledged(random.int(0, deletions.count));
  site.setAway(true);
  if (random.chance(0.5)) await site.restartCollector();
  if (random.chance(0.5)) await passCollector(site);
  else await turns(random.int(0, TURNS_MAX));
  site.setAway(false);
}

test('random owner graphs, a collector that is restarted, and a group that goes away', async (t) => {
  const random = seededRandom(t);
  const site = await startSimulatedSite(t);
  for (let graph = 0; graph < GRAPHS; graph += 1) {
    const own = new SeededRandom(random.int(0, 2 ** 31));
    const disturbed = (_: number, deletions: UnderWay) => disturb(site, own, deletions);
    await runGraph(site, own, { ...SIZE, withinMs: WITHIN_MS, disturb: disturbed });
  }
});

/** One round for each way in which a collector of these tests can be broken. */
const rounds: readonly (readonly Deletion[])[] = [
  [{ name: 'n-leaves', policy: 'Orphan' }],
  [{ name: 'n-takes', policy: 'Background' }],
  [{ name: 'n-last', policy: 'Background' }],
];

async function runEach(site: SimulatedSite, withinMs: number): Promise<void> {
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
    await passCollector(site);
    site.setAway(false);
  };
  await runRounds(
    site,
    { random, graph, choose: (_, round) => rounds[round - 1] },
    { withinMs, disturb: disturbLast },
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
    await runEach(await startSimulatedSite(t), WITHIN_MS);
  });

  for (const { mutant, leaves } of mutants) {
    test(`${mutant}: ${leaves} is left`, async (t) => {
      const error = await failureOf(
        runEach(await startSimulatedSite(t, { mutant }), MUTANT_WITHIN_MS),
      );
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
