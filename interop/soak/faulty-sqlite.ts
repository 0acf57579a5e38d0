/** The SQLite engine with the fault that the environment names, see `register-fault.ts`. */
import type { Storage } from '@tributary/storage';
import { openStorage as openGood } from '@tributary/storage-sqlite';
import { mutants } from '../../test/faults/mutants.ts';
import { namespaceMutants } from '../../test/faults/namespace-mutants.ts';
import { FAULT_VARIABLE } from './faults.ts';

export * from '@tributary/storage-sqlite';

export async function openStorage(options: { dataDir: string }): Promise<Storage> {
  const name = process.env[FAULT_VARIABLE];
  const fault = [...mutants, ...namespaceMutants].find((one) => one.name === name);
  if (fault === undefined) throw new Error(`no fault is called ${name}`);
  return fault.open(await openGood(options), options.dataDir);
}
