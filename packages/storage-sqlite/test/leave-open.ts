/** Started by tests: leaves a store open and has nothing more to do. */
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { put } from './writes.ts';

const [directory = ''] = process.argv.slice(2);
const storage = await openSqliteStorage({ directory });
console.log(`written at ${await put(storage, 'a')}`);
