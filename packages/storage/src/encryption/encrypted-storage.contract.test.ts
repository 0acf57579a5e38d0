import { openSqliteStorage } from '@tributary/storage-sqlite';
import { temporaryDirectory } from '../../../../test/harness/index.ts';
import { aesgcm, identity, key1, key2 } from '../../test/encryption-fixture.ts';
import { storageContract } from '../contract-suite.ts';
import { openMemoryStorage } from '../memory/memory-storage.ts';
import type { EncryptionConfig } from './config.ts';
import { encryptedStorage } from './encrypted-storage.ts';

const everything: EncryptionConfig = {
  resources: [{ resources: [{ group: '*', resource: '*' }], providers: [aesgcm(key1, key2)] }],
};
const some: EncryptionConfig = {
  resources: [
    { resources: [{ group: 'b', resource: 'plain' }], providers: [identity, aesgcm(key1)] },
    { resources: [{ group: 'a', resource: '*' }], providers: [aesgcm(key2), identity] },
    { resources: [{ group: 'objects', resource: '*' }], providers: [aesgcm(key1)] },
  ],
};
/** The keys of the suite do not begin with `/registry/`. */
const keyPrefixOf = ({ group, resource }: { group: string; resource: string }) => {
  if (group === '*') return '';
  return resource === '*' ? `${group}/` : `${group}/${resource}/`;
};

/** `npm run test:full` uses the full size, others a tenth. */
const scaled = (full: number): number => (process.env.TRIBUTARY_FULL === '1' ? full : full / 10);

storageContract(
  'memory, everything encrypted',
  async () => encryptedStorage(openMemoryStorage(), everything, { keyPrefixOf }),
  { scale: scaled(0.3) },
);
storageContract(
  'memory, some keys encrypted',
  async () => encryptedStorage(openMemoryStorage(), some, { keyPrefixOf }),
  { scale: scaled(0.1) },
);
storageContract(
  'sqlite, everything encrypted',
  async (t) => {
    const engine = await openSqliteStorage({ directory: await temporaryDirectory(t) });
    return encryptedStorage(engine, everything, { keyPrefixOf });
  },
  { scale: scaled(0.1) },
);
