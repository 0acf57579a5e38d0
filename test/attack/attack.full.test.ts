/** Ten minutes of all attacks in sequence, and the same against kube-apiserver to compare with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../harness/index.ts';
import { attacks } from './attacks.ts';
import { isKnown } from './known-defects.ts';
import { table, violations } from './report.ts';
import { runAttacks } from './run.ts';
import { type SiteKind, siteProblem } from './site.ts';

const MINUTES: Readonly<Record<SiteKind, number>> = {
  up: 10,
  aggregator: 5,
  server: 5,
  reference: 5,
};

for (const [name, minutes] of Object.entries(MINUTES)) {
  const against = name as SiteKind;
  const skip = siteProblem(against) ?? false;
  test(`${against}: every attack for ${minutes} minutes in all, and another user goes on`, {
    skip,
  }, async (t) => {
    const { seed } = seededRandom(t);
    const run = await runAttacks(t, {
      against,
      attacks,
      seconds: minutes * 60,
      seed,
      withKnown: false,
      onProgress: (line) => t.diagnostic(line),
    });
    t.diagnostic(`\n${table(run)}`);
    assert.equal(run.ended, undefined);
    // The original's results are for the table, not for a verdict.
    if (against !== 'reference')
      assert.deepEqual(
        violations(run).filter((line) => !isKnown(line)),
        [],
      );
  });
}
