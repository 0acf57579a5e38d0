import { storageContract } from '@tributary/storage/contract-suite';
import { openSqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from './temporary-directory.ts';

storageContract('sqlite', (t) => openSqliteStorage({ directory: temporaryDirectory(t) }));
