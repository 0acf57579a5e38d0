import { openMemoryStorage, type Revision, type Storage } from '@tributary/storage';
import { FlagError } from './flags.ts';

/** What the package of an engine exports for programs that name the engine in a flag. */
export interface EnginePackage {
  openStorage(options: { location: string; dataDir: string }): Promise<Storage>;
}

/** Engines that a program brings along, by the scheme of `--storage`; others are looked for where it is installed. */
export type Engines = Readonly<Record<string, () => Promise<EnginePackage>>>;

/** Engines that are planned and that people will ask for by name. */
const NOT_YET = ['etcd', 'postgres'];

const ENGINE_PACKAGES: Readonly<Record<string, string>> = {
  sqlite: '@tributary/storage-sqlite',
};

/** Opens the engine that `--storage` names. Engines are packages that only those who use them install. */
export async function openStorage(
  location: string,
  dataDir: string,
  engines: Engines = {},
): Promise<Storage> {
  const [scheme = ''] = location.split(':', 1);
  if (scheme === 'memory') return openMemoryStorage({ firstRevision: revisionOfNow() });
  const name = ENGINE_PACKAGES[scheme];
  if (name === undefined) {
    const known = ['memory', ...Object.keys(ENGINE_PACKAGES)].join(', ');
    const what = NOT_YET.includes(scheme)
      ? `the ${scheme} engine is not there yet`
      : 'unknown engine';
    throw new FlagError(`--storage ${location}: ${what}; there are: ${known}`);
  }
  const engine = await (engines[scheme]?.() ?? load(name));
  try {
    return await engine.openStorage({ location, dataDir });
  } catch (error) {
    // A store in use, damaged or too new is for the person at the terminal, in the engine's words.
    if (error instanceof Error) throw new FlagError(error.message, { cause: error });
    throw error;
  }
}

/** Faster than any store commits, in hundredths of a millisecond. */
const REVISIONS_PER_MS = 100;

/**
 * A store that forgets everything must not forget that: clients hold revisions of the process before this one, and
 * are told that those are gone only if this one begins above them.
 */
function revisionOfNow(): Revision {
  return (Date.now() * REVISIONS_PER_MS) as Revision;
}

async function load(name: string): Promise<EnginePackage> {
  try {
    return (await import(name)) as EnginePackage;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new FlagError(`this engine is in the package ${name}, which is not installed`);
    }
    throw error;
  }
}
