/** Started by tests: opens a store and holds it until it is killed, or prints why it cannot. */
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { put } from './writes.ts';

const [directory = '', mode = 'hold'] = process.argv.slice(2);
try {
  const storage = await openSqliteStorage({ directory });
  console.log('open');
  if (mode === 'write') {
    for (let at = 0; ; at += 1) console.log(`acknowledged ${await put(storage, `key ${at}`)}`);
  }
  setInterval(() => undefined, 1000);
} catch (error) {
  console.log(`${error}`);
}
