import { storageContract } from '../contract-suite.ts';
import { openMemoryStorage } from './memory-storage.ts';

/** `npm run test:full` uses all 100,000 objects. */
const scale = process.env.TRIBUTARY_FULL === '1' ? 1 : 0.1;

storageContract('memory', async () => openMemoryStorage(), { scale });
storageContract(
  'memory that forgets soon',
  async () => openMemoryStorage({ historyRevisionsMax: 4500 }),
  {
    scale: 0.2,
  },
);
