import { existsSync } from 'node:fs';
import { type StoreThread, startStoreThread } from '@tributary/storage-sqlite/store-thread';

const DATA_DIR = '.tributary';

/** A store that is being opened while the server is read. */
export interface EarlyStore {
  readonly dataDir: string;
  readonly thread: StoreThread;
}

/**
 * Only an existing store: a refused start must not leave one behind. The flags are parsed later; a store that they do
 * not name is closed again.
 */
export function openStoreEarly(args: readonly string[]): EarlyStore | undefined {
  const dataDir = flagValue(args, 'data-dir') ?? DATA_DIR;
  const isSqlite = (flagValue(args, 'storage') ?? 'sqlite') === 'sqlite';
  if (!isSqlite || asksForHelp(args) || !existsSync(dataDir)) return undefined;
  return { dataDir, thread: startStoreThread(dataDir) };
}

export function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => /^(-h|--help)$/.test(arg));
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
