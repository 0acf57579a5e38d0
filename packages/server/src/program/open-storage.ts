import { readFile } from 'node:fs/promises';
import { decodeYaml } from '@tributary/apimachinery';
import {
  type EncryptionConfig,
  encryptedStorage,
  openMemoryStorage,
  parseEncryptionConfig,
  type Revision,
  registryKeyPrefixOf,
  type Storage,
} from '@tributary/storage';
import { type CommonFlags, FlagError } from './flags.ts';
import { endProgram } from './run-program.ts';

/** Exports of a storage engine's package. */
interface EnginePackage {
  openStorage(options: { location: string; dataDir: string }): Promise<Storage>;
}

/** Engines bundled with a program, by the scheme of `--storage`; others are imported from their installed packages. */
export type Engines = Readonly<Record<string, () => Promise<EnginePackage>>>;

/** Planned engines. */
const NOT_YET = ['etcd', 'postgres'];

const ENGINE_PACKAGES: Readonly<Record<string, string>> = {
  sqlite: '@tributary/storage-sqlite',
};

interface OpenStorageOptions {
  /** For the line that the program writes when it exits because of a storage failure. */
  readonly program: string;
  readonly engines?: Engines | undefined;
}

/** Opens the store of `--storage`, encrypted if `--encryption-provider-config` says so. */
export async function openStorage(
  flags: CommonFlags,
  { program, engines }: OpenStorageOptions,
): Promise<Storage> {
  const file = flags.encryptionProviderConfig;
  const config = file === '' ? undefined : await readEncryptionConfig(file);
  const storage = await openEngine(flags.storage, flags.dataDir, engines);
  void storage.whenFailed?.().then((reason) => endProgram(program, reason));
  if (config === undefined) return storage;
  return encryptedStorage(storage, config, { keyPrefixOf: registryKeyPrefixOf });
}

/** Each engine is a package, installed only where it is used. */
async function openEngine(
  location: string,
  dataDir: string,
  engines: Engines = {},
): Promise<Storage> {
  const [scheme = ''] = location.split(':', 1);
  if (scheme === 'memory') return openMemoryStorage({ firstRevision: firstRevision() });
  const name = ENGINE_PACKAGES[scheme];
  if (name === undefined) {
    const known = ['memory', ...Object.keys(ENGINE_PACKAGES)].join(', ');
    const what = NOT_YET.includes(scheme)
      ? `the ${scheme} engine is not supported yet`
      : 'unknown engine';
    throw new FlagError(`--storage ${location}: ${what}; choose one of ${known}`);
  }
  const engine = await (engines[scheme]?.() ?? load(name));
  try {
    return await engine.openStorage({ location, dataDir });
  } catch (error) {
    // A store in use, damaged or too new is reported in the engine's words, without a stack.
    if (error instanceof Error) throw new FlagError(error.message, { cause: error });
    throw error;
  }
}

/** Higher than the commit rate of any store. */
const REVISIONS_PER_MS = 100;

/**
 * The memory store begins above every revision of the previous process, so that a watch from one of those gets 410
 * Expired and its client lists again.
 */
function firstRevision(): Revision {
  return (Date.now() * REVISIONS_PER_MS) as Revision;
}

async function load(name: string): Promise<EnginePackage> {
  try {
    return (await import(name)) as EnginePackage;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') {
      throw new FlagError(`this engine is in the package ${name}: install it with npm`);
    }
    throw error;
  }
}

async function readEncryptionConfig(file: string): Promise<EncryptionConfig> {
  try {
    return parseEncryptionConfig(decodeYaml(await readFile(file)).value);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new FlagError(`--encryption-provider-config ${file}: ${error.message}`);
  }
}
