import { describe, type TestContext, test } from 'node:test';
import type { Storage } from './contract/storage.ts';
import { commitTests } from './contract-suite/commits.ts';
import { expiryTests } from './contract-suite/expiry.ts';
import { feedTests } from './contract-suite/feeds.ts';
import { historyTests } from './contract-suite/history.ts';
import { lifecycleTests } from './contract-suite/lifecycle.ts';
import { raceTests } from './contract-suite/races.ts';
import { randomFrom } from './contract-suite/random.ts';
import { readTests } from './contract-suite/reads.ts';
import { sizeTests } from './contract-suite/size.ts';
import type { ContractTest } from './contract-suite/subject.ts';

export interface StorageContractOptions {
  /** 1 is the full size, 100,000 objects; smaller is faster and proves less. */
  readonly scale?: number;
  /** The maximum wait for an event before its test fails. */
  readonly waitMs?: number;
  /** Repeats a run; without it every run chooses and prints its own. */
  readonly seed?: number;
}

/** All tests of the `Storage` contract; each fails when the behaviour is removed. */
export const contractTests: readonly ContractTest[] = [
  ...readTests,
  ...commitTests,
  ...raceTests,
  ...feedTests,
  ...historyTests,
  ...expiryTests,
  ...lifecycleTests,
  ...sizeTests,
];

/** Tests an engine against the contract. `open` returns a new, empty store for each test. */
export function storageContract(
  name: string,
  open: (t: TestContext) => Promise<Storage>,
  {
    scale = 1,
    waitMs = 30_000,
    seed = Math.floor(Math.random() * 2 ** 32),
  }: StorageContractOptions = {},
): void {
  // Each test has a store of its own, and some of them mostly wait.
  describe(`storage contract: ${name}`, { concurrency: 4 }, () => {
    for (const contractTest of contractTests) {
      test(contractTest.name, async (t) => {
        t.diagnostic(`seed ${seed}`);
        const storage = await open(t);
        try {
          await contractTest.run({ t, storage, random: randomFrom(seed), scale, waitMs });
        } finally {
          await storage.close();
        }
      });
    }
  });
}
