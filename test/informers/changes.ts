/** Random changes by all writers, and what is killed meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../harness/index.ts';
import type { CuttingProxy } from './cutting-proxy.ts';
import type { ChangeHistory } from './history.ts';
import type { RunOptions } from './run.ts';
import type { Site } from './site.ts';
import type { Writer } from './writer.ts';

/** Where an informer is not cut off often enough, how many times as many changes there may be. */
const CHANGES_FACTOR_MAX = 3;
const POLL_MS = 10;

export async function makeChanges(
  writers: readonly Writer[],
  enough: () => boolean,
): Promise<void> {
  const failed = new AbortController();
  const running = writers.map(async (writer) => {
    try {
      await writer.run(() => failed.signal.aborted || enough(), failed.signal);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running); // None writes any more when one is reported.
  await Promise.all(running);
}

interface Work {
  readonly writers: readonly Writer[];
  readonly history: ChangeHistory;
  /** Those of the informers. */
  readonly proxies: readonly CuttingProxy[];
  readonly options: Pick<RunOptions, 'site' | 'changes' | 'kills' | 'cutsMin'>;
}

/** Gives the names of what was killed. */
export async function changeAndKill({
  writers,
  history,
  proxies,
  options,
}: Work): Promise<string[]> {
  const { site, changes, kills, cutsMin } = options;
  const killed: string[] = [];
  let isKilled = kills === 0;
  const over = new AbortController();
  const killing = killInTurn({ site, history, options, killed, signal: over.signal }).finally(
    () => {
      isKilled = true;
    },
  );
  const enough = (): boolean => {
    const isCut = proxies.every(({ cuts }) => cuts >= cutsMin);
    return history.changes >= (isCut && isKilled ? changes : changes * CHANGES_FACTOR_MAX);
  };
  try {
    const died = site.victims.map((victim) => victim.died);
    await Promise.race([makeChanges(writers, enough), ...died]);
  } finally {
    over.abort();
    await killing;
  }
  return killed;
}

/** At even distances, under load. */
async function killInTurn(work: {
  readonly site: Site;
  readonly history: ChangeHistory;
  readonly options: Work['options'];
  readonly killed: string[];
  readonly signal: AbortSignal;
}): Promise<void> {
  const { site, history, options, killed, signal } = work;
  for (let kill = 1; kill <= options.kills; kill += 1) {
    const at = (options.changes * kill) / (options.kills + 1);
    while (history.changes < at && !signal.aborted) await sleep(POLL_MS);
    const victim = site.victims[(kill - 1) % site.victims.length];
    if (signal.aborted || victim === undefined) return;
    killed.push(victim.name);
    await victim.killAndStart();
    progress(`${victim.name} was killed and is back (${kill} of ${options.kills})`);
  }
}
