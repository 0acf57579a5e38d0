/**
 * A soak: the control plane with wardle behind it and the original's controllers on it, writers, watchers and three
 * informers, and servers that are killed. Then the checkers of test/faults and test/informers read what was recorded.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkStore } from '@tributary/storage-sqlite';
import { attack, describeFigures } from '../../test/faults/attack.ts';
import { checkHistory } from '../../test/faults/checker.ts';
import type { Target } from '../../test/faults/target.ts';
import { SeededRandom, type TestScope } from '../../test/harness/index.ts';
import { disturbing } from './disturb.ts';
import type { FollowerVerdict } from './followers.ts';
import type { KillPlan } from './kills.ts';
import { ownFlunders } from './own-flunders.ts';
import type { OwnerChurn } from './owner-churn.ts';
import { prepare } from './prepare.ts';
import { checkGrowth } from './process-figures.ts';
import { createRegister } from './register.ts';
import { createSite, type SiteOptions, untilServed } from './site.ts';

export interface SoakOptions extends SiteOptions {
  readonly seed: number;
  readonly plan: KillPlan;
  /** How long, after the last write, everything may take to be as it should. */
  readonly quietSeconds?: number;
  /** Prints progress lines. */
  onProgress(line: string): void;
}

export interface SoakViolation {
  /** The rule and its owner. */
  readonly rule: string;
  readonly detail: string;
}

export interface SoakResult {
  readonly violations: readonly SoakViolation[];
  /** The work of the run and its cost, for people. */
  readonly summary: readonly string[];
}

const WRITERS = 4;
/** Before every request of every client: a soak is long, and all that it saw is kept in memory. */
const PACE_MS = 30;
const QUIET_SECONDS = 120;

export async function soak(scope: TestScope, options: SoakOptions): Promise<SoakResult> {
  const { seed, plan, controllers, onProgress } = options;
  const startedMs = performance.now();
  const random = new SeededRandom(seed);
  const site = await createSite(scope, options);
  pace(site.gateway, PACE_MS);
  const ending = new AbortController();
  try {
    const { signal } = ending;
    const participants = await prepare(scope, site, { controllers, random, signal });
    const { churn, owners, followers, watching, died } = participants;
    const failed = Promise.race([watching.then(() => died), died]);
    failed.catch(() => undefined); // It is raced below.
    const register = createRegister(site);
    const quietMs = (options.quietSeconds ?? QUIET_SECONDS) * 1000;
    const disturb = disturbing({
      ...{ site, plan, participants, register, random, quietMs, onProgress },
    });
    const run = { seed: random.int(0, 2 ** 31), writers: WRITERS, disturb, restart: true };
    const body = async () => {
      const { history, figures } = await attack(site.gateway, run);
      await untilServed(site.gateway);
      onProgress('nobody writes any more; reading the end');
      const uncollected = await owners.compareRow(quietMs);
      const verdicts = await followers.compareRow(quietMs);
      return { history, figures, uncollected, verdicts, checkEnd: await churn.readEnd() };
    };
    const { history, figures, uncollected, verdicts, checkEnd } = await Promise.race([
      body(),
      failed,
    ]);
    ending.abort();
    await watching;
    await site.gateway.stop();
    await site.wardle.stop();
    const violations = named({
      flunders: checkHistory(ownFlunders(history)),
      namespaces: await checkEnd(site.gatewayDir),
      owners: uncollected,
      informers: verdicts.flatMap(({ violations }) => violations),
      'tributary up': checkGrowth('its lives', register.gateway),
      wardle: checkGrowth('its lives', register.wardle),
      stores: [...(await damage(site.gatewayDir)), ...(await damage(site.wardleDir))],
    });
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    const { gateway, wardle } = register.kills;
    const summary = [
      `${seconds} s, seed ${seed}; ${gateway} kills of tributary up, ${wardle} of wardle`,
      `flunders: ${describeFigures(figures)}`,
      `namespaces: ${churn.doomed} deleted, ${churn.gone} gone, ${churn.events} events; objects in them: ${describeFigures(churn.counts)}`,
      describeOwners(owners),
      ...verdicts.map(describeFollower),
      ...register.lines(),
    ];
    return { violations, summary };
  } finally {
    ending.abort();
  }
}

function pace(target: Target, pauseMs: number): void {
  const url = target.url.bind(target);
  target.url = async () => {
    await sleep(pauseMs);
    return url();
  };
}

function named(groups: Readonly<Record<string, readonly SoakViolation[]>>): SoakViolation[] {
  return Object.entries(groups).flatMap(([group, violations]) =>
    violations.map(({ rule, detail }) => ({ rule: `${group}/${rule}`, detail })),
  );
}

async function damage(dataDir: string): Promise<SoakViolation[]> {
  const { findings } = await checkStore(dataDir);
  return findings.map((finding) => ({ rule: 'damaged', detail: JSON.stringify(finding) }));
}

function describeOwners({ owners, dependents }: OwnerChurn): string {
  const deleted = owners.filter(({ fate }) => fate === 'deleted').length;
  return `owners: ${owners.length}, ${deleted} of them deleted, ${dependents.length} objects owned`;
}

function describeFollower({ name, events, relists, settledMs }: FollowerVerdict): string {
  const end = settledMs === undefined ? 'never like the server' : `${Math.round(settledMs)} ms`;
  return `informer ${name}: ${events} events, ${relists} lists again, settled: ${end}`;
}
