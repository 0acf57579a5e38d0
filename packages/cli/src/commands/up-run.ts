import { gateway } from '@tributary/aggregator';
import { runCoreServer } from '@tributary/core-server';
import { asBeforeYoungRequests } from '@tributary/server/parts';
import { giveBackGrown, openStorage, whenQuiet } from '@tributary/storage-sqlite';
import { asksForHelp, type EarlyStore } from './early-store.ts';

/** A server has run by then whatever it runs in every start, and is not at rest yet. */
const CODE_KEPT_MS = 2_000;
/** What a burst of requests leaves behind is more than this; what a server has at rest is little more. */
const GROWN_BYTES = 16 * 1024 * 1024;

export interface UpParts {
  readonly store: EarlyStore | undefined;
  /** Leaves compiled code for the next start. */
  keepCode(): void;
}

/** A control plane, until it is told to stop. */
export async function runUp(args: readonly string[], { store, keepCode }: UpParts): Promise<void> {
  const keep = () => asBeforeYoungRequests(keepCode);
  setTimeout(keep, CODE_KEPT_MS).unref();
  whenQuiet(giveBackGrown({ grownBytes: GROWN_BYTES }));
  const engine = engineWith(store);
  process.exitCode = await runCoreServer({
    program: 'tributary up',
    addition: gateway,
    args,
    engines: { sqlite: async () => engine },
  });
  await engine.closeUnused();
  if (process.exitCode === 0 && !asksForHelp(args)) keep();
}

/** The engine, with a store that is opened already: for whoever opens it first. */
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
      // Nobody asked for it, so nobody needs to know why it cannot be opened.
      const opened = await openStorage(unused).catch(() => undefined);
      await opened?.close();
    },
  };
}
