/** Every attack for a few seconds, against every server of ours: no process ends, no other client fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../harness/index.ts';
import { attacks } from './attacks.ts';
import { isKnown } from './known-defects.ts';
import { table, violations } from './report.ts';
import { runAttacks } from './run.ts';
import type { SiteKind } from './site.ts';

const SECONDS: Readonly<Record<Exclude<SiteKind, 'reference'>, number>> = {
  up: 20,
  aggregator: 8,
  server: 5,
};

for (const [against, seconds] of Object.entries(SECONDS)) {
  test(`${against}: every attack for ${seconds} seconds in all, and another user goes on`, async (t) => {
    const { seed } = seededRandom(t);
    const run = await runAttacks(t, {
      against: against as SiteKind,
      attacks,
      seconds,
      seed,
      withKnown: false,
      onProgress: () => undefined,
    });
    t.diagnostic(`\n${table(run)}`);
    assert.ok(
      run.rows.every(({ sent }) => sent > 0),
      'an attack did nothing',
    );
    assert.deepEqual(
      violations(run).filter((line) => !isKnown(line)),
      [],
    );
  });
}
