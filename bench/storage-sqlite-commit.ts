/** The gain of group commit: durable creates per second with 1, 8 and 64 concurrent writers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ABSENT } from '@tributary/storage';
import { openSqliteStorage } from '@tributary/storage-sqlite';

const SECONDS = 3;
const ROUNDS = 3;
const value = Buffer.alloc(1024, 'x');

const directory = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
try {
  const rates = new Map<number, number[]>([1, 8, 64].map((writers) => [writers, []]));
  // Rounds alternate, so that other load of the machine affects all of them.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [writers, measured] of rates) measured.push(await creates(round, writers));
  }
  const single = median(rates.get(1) ?? []);
  for (const [writers, measured] of rates) {
    const rate = median(measured);
    const all = measured.map((each) => each.toFixed(0)).join(' / ');
    console.log(
      `${String(writers).padStart(2)} writers: ${rate.toFixed(0)} creates/s, ` +
        `${(rate / single).toFixed(1)}× one writer (${all})`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function creates(round: number, writers: number): Promise<number> {
  await using storage = await openSqliteStorage({ directory });
  const started = performance.now();
  const end = started + SECONDS * 1000;
  let count = 0;
  const writer = async (number: number) => {
    for (let at = 0; performance.now() < end; at += 1) {
      const key = `/registry/configmaps/bench/${round}-${writers}-${number}-${at}`;
      const require = [{ key, revision: ABSENT }];
      const { outcome } = await storage.commit({ require, writes: [{ kind: 'put', key, value }] });
      if (outcome === 'written') count += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
  return count / ((performance.now() - started) / 1000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
