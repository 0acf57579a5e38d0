import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';

/** Node keeps compiled code when it ends; a server that will be killed one day should have left it, too. */
const CODE_KEPT_MS = 10_000;
/** What a burst of requests leaves behind is more than this; what a server has at rest is little more. */
const GROWN_BYTES = 16 * 1024 * 1024;
const DATA_DIR = '.tributary';

/** A control plane, until it is told to stop. */
export async function runUp(args: readonly string[]): Promise<void> {
  setTimeout(flushCompileCache, CODE_KEPT_MS).unref();
  const { giveBackGrown, openStorage, whenQuiet } = await import('@tributary/storage-sqlite');
  whenQuiet(giveBackGrown({ grownBytes: GROWN_BYTES }));
  const engine = await storeOpenedEarly(args, openStorage);
  const [{ runCoreServer }, { gateway }] = await Promise.all([
    import('@tributary/core-server'),
    import('@tributary/aggregator'),
  ]);
  process.exitCode = await runCoreServer({
    program: 'tributary up',
    addition: gateway,
    args,
    engines: { sqlite: () => engine.use() },
  });
  await engine.closeUnused();
}

type Sqlite = typeof import('@tributary/storage-sqlite');

/**
 * A store needs a thread of its own, which takes as long to start as the server takes to be read. So a store that is there
 * already is opened meanwhile; what the flags mean exactly is read later, and a store that nobody wants is closed.
 * Resolves when the thread is starting: reading the server leaves no moment for it.
 */
async function storeOpenedEarly(args: readonly string[], openStorage: Sqlite['openStorage']) {
  const dataDir = flagValue(args, 'data-dir') ?? DATA_DIR;
  const isSqlite = (flagValue(args, 'storage') ?? 'sqlite') === 'sqlite';
  const isWanted =
    isSqlite && existsSync(dataDir) && !args.some((arg) => /^(-h|--help)$/.test(arg));
  let early = isWanted ? openStorage({ dataDir }) : undefined;
  early?.catch(() => {}); // whoever uses it is told
  return {
    use: async (): Promise<Pick<Sqlite, 'openStorage'>> => ({
      openStorage: (options) => {
        const opened = early;
        if (opened === undefined || options.dataDir !== dataDir) return openStorage(options);
        early = undefined;
        return opened;
      },
    }),
    closeUnused: async () => {
      const opened = await early?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/** The last one counts, as `--name value` or `--name=value`. */
function flagValue(args: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (const [at, arg] of args.entries()) {
    if (arg === `--${name}`) value = args[at + 1];
    else if (arg.startsWith(`--${name}=`)) value = arg.slice(name.length + 3);
  }
  return value;
}
