/** Serves the sample's API on a store with a fault: `mutant-server.ts DATA_DIR FAULT`. */
import { readFile } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { createServer } from '@tributary/server';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { wardle } from '../../samples/wardle/src/index.ts';
import { mutants } from './mutants.ts';

const [dataDir = '', fault = ''] = process.argv.slice(2);
const mutant = mutants.find(({ name }) => name === fault);
if (mutant === undefined) throw new Error(`no fault is called ${fault}`);

const pem = (name: string): Promise<string> => readFile(join(dataDir, 'pki', name), 'utf8');
const storage = await mutant.open(await openSqliteStorage({ directory: dataDir }), dataDir);
const server = await createServer(wardle, {
  storage,
  serving: { cert: await pem('serving.crt'), key: await pem('serving.key') },
  clientCa: await pem('ca.crt'),
}).listen();
flushCompileCache(); // It may not live to its end.
process.stdout.write(`mutant-server is ready at ${server.url}\n`);
process.once('SIGTERM', () => {
  void server.close().then(() => storage.close());
});
