/** A control plane on a store with a fault: `core-mutant-server.ts DIRECTORY FAULT`. */
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { startTestCore } from '../../packages/core-server/test/core-fixture.ts';
import { namespaceMutants } from './namespace-mutants.ts';

const [dataDir = '', fault = ''] = process.argv.slice(2);
const mutant = namespaceMutants.find(({ name }) => name === fault);
if (mutant === undefined) throw new Error(`no fault is called ${fault}`);

const storage = mutant.open(await openSqliteStorage({ directory: dataDir }));
const core = await startTestCore({ storage, directory: join(dataDir, 'pki') });
flushCompileCache(); // It may not live to its end.
process.stdout.write(`core-mutant-server is ready at ${core.server.url}\n`);
process.once('SIGTERM', () => {
  void core[Symbol.asyncDispose]().then(() => storage.close());
});
