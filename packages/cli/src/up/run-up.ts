import { runCoreServer } from '@tributary/core-server';
import { disablePretenuring, withPretenuring } from '@tributary/server/program';
import { openStorage, releaseGrownMemory, whenIdle } from '@tributary/storage-sqlite';
import { aggregatorAddition } from './aggregator-addition.ts';
import { asksForHelp, type EarlyStore } from './early-store.ts';

/** More than the memory of an idle server, and less than that after a burst of requests. */
const GROWN_BYTES = 16 * 1024 * 1024;

export interface UpParts {
  readonly store: EarlyStore | undefined;
  /** Leaves compiled code for the next start. */
  keepCode(): void;
  /**
   * After the first answer: a server that will be killed one day should have left it, too. Undefined: at the end only, because that
   * takes longer than it may stand still.
   */
  readonly keepCodeAfterMs: number | undefined;
}

/** The module that runs a control plane, and the cache of its compiled code. */
export interface LoadedUp extends Pick<UpParts, 'keepCode' | 'keepCodeAfterMs'> {
  runUp(args: readonly string[], parts: UpParts): Promise<void>;
}

/** A control plane, until it is told to stop. */
export async function runUp(
  args: readonly string[],
  { store, keepCode, keepCodeAfterMs }: UpParts,
): Promise<void> {
  let isYoung = false;
  let timer: NodeJS.Timeout | undefined;
  // Code counts only under the flags of the start, so it is left before they change: they never change back while threads run.
  const keepYoung = () => {
    if (keepCodeAfterMs !== undefined) keepCode();
    disablePretenuring();
    isYoung = true;
  };
  const onReady = () => {
    timer = setTimeout(keepYoung, keepCodeAfterMs ?? 0).unref();
  };
  whenIdle(releaseGrownMemory({ grownBytes: GROWN_BYTES }));
  const engine = engineWith(store);
  try {
    process.exitCode = await runCoreServer({
      program: 'tributary up',
      addition: aggregatorAddition,
      args,
      engines: { sqlite: async () => engine },
      onReady,
    });
  } finally {
    clearTimeout(timer);
    await engine.closeUnused();
  }
  if (process.exitCode !== 0 || asksForHelp(args)) return;
  if (isYoung) withPretenuring(keepCode);
  else keepCode();
}

/** The engine, with an opened store for its first caller. */
function engineWith(early: EarlyStore | undefined) {
  let unused = early;
  return {
    openStorage: ({ dataDir }: { dataDir: string }) => {
      if (unused?.dataDir !== dataDir) return openStorage({ dataDir });
      const { thread } = unused;
      unused = undefined;
      return openStorage({ dataDir, thread });
    },
    closeUnused: async () => {
      if (unused === undefined) return;
      // The store was opened early and not used, so its error is not reported.
      const opened = await openStorage(unused).catch(() => undefined);
      await opened?.close();
    },
  };
}
