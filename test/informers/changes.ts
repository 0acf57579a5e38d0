/** Random changes by all writers, and what is killed meanwhile. */
import { eventually, progress } from '../harness/index.ts';
import type { CuttingProxy } from './cutting-proxy.ts';
import type { ChangeHistory } from './history.ts';
import type { RunOptions } from './run.ts';
import type { Site } from './site.ts';
import type { Writer } from './writer.ts';

/** Between two cuts of an informer that was not cut off often enough. */
const CHANGES_MORE = 20;
/** A reflector of client-go that was cut off often waits for up to a minute. */
const CONNECTED = { withinMs: 120_000 };

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
  const enough = (): boolean => isKilled && history.changes >= changes;
  try {
    const died = site.victims.map((victim) => victim.died);
    await Promise.race([makeChanges(writers, enough), ...died]);
    await Promise.race([cutRest({ writers, history, proxies, cutsMin }), ...died]);
  } finally {
    over.abort();
    await killing;
  }
  return killed;
}

/** An informer that is slow to come back lives through fewer changes than others: it is cut off when it is there. */
async function cutRest(
  work: Pick<Work, 'writers' | 'history' | 'proxies'> & { readonly cutsMin: number },
): Promise<void> {
  const { writers, history, proxies, cutsMin } = work;
  for (;;) {
    const rest = proxies.filter(({ cuts }) => cuts < cutsMin);
    if (rest.length === 0) return;
    const connected = rest.map((proxy) =>
      eventually('an informer is connected', () => proxy.cutNow() > 0, CONNECTED),
    );
    await Promise.all(connected);
    const wanted = history.changes + CHANGES_MORE;
    await makeChanges(writers, () => history.changes >= wanted);
  }
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
    await reached(history, at, signal);
    const victim = site.victims[(kill - 1) % site.victims.length];
    if (signal.aborted || victim === undefined) return;
    killed.push(victim.name);
    await victim.killAndStart();
    progress(`${victim.name} was killed and is back (${kill} of ${options.kills})`);
  }
}

/** Resolves when so many changes are made, or the signal fires. */
async function reached(
  history: ChangeHistory,
  changes: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (signal.aborted || history.changes >= changes) resolve();
  };
  const leave = history.onChange(look);
  signal.addEventListener('abort', look, { once: true });
  look();
  await promise;
  leave();
  signal.removeEventListener('abort', look);
}
