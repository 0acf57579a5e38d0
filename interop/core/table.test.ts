import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DIFFERENCES_MAX,
  differences as differencesOfWardle,
} from '../differential/differences.ts';
import { allSteps, isWatchStep } from '../differential/row.ts';
import { tableSuite } from '../differential/table-suite.ts';
import { readGolden } from '../golden/store.ts';
import { differences } from './differences.ts';
import { rows } from './rows/index.ts';
import { coreSuite } from './suite.ts';

tableSuite(coreSuite, { rowsMin: 300 });

test(`at most ${DIFFERENCES_MAX} deliberate differences with those of the sample`, () => {
  const ids = new Set([...differencesOfWardle, ...differences].map(({ id }) => id));
  assert.ok(ids.size <= DIFFERENCES_MAX);
});

test('what only prepares succeeded at the original', async () => {
  const golden = await readGolden(coreSuite.responsesDir);
  for (const row of rows) {
    const responses = new Map(
      (golden.get(row.name)?.responses ?? []).map((one) => [one.step, one]),
    );
    for (const step of allSteps(row.steps)) {
      if (isWatchStep(step) || !step.setup) continue;
      const status = Number(responses.get(step.name)?.status ?? 200);
      const expected = typeof step.until === 'number' ? status === step.until : status < 300;
      assert.ok(expected, `${row.name}: step ${step.name} was answered ${status}`);
    }
  }
});
