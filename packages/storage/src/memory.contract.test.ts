import { storageContract } from './contract-suite.ts';
import { openMemoryStorage } from './memory.ts';

storageContract('memory', async () => openMemoryStorage());
storageContract(
  'memory that forgets soon',
  async () => openMemoryStorage({ historyRevisionsMax: 4500 }),
  {
    scale: 0.2,
  },
);
