import { storageContract } from '@tributary/storage/contract-suite';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from './temporary-directory.ts';

/** `npm run test:full` uses all 100,000 objects. */
const scale = process.env.TRIBUTARY_FULL === '1' ? 1 : 0.1;

storageContract('sqlite', (t) => openSqliteStorage({ directory: temporaryDirectory(t) }), {
  scale,
});
