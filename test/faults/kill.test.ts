/** The sample server under load, killed with SIGKILL: see README.md for more kills than these. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStore } from '@tributary/storage-sqlite';
import { isFull } from '../../interop/full.ts';
import { seededRandom, temporaryDirectory } from '../harness/index.ts';
import { attack, describeFigures } from './attack.ts';
import { checkHistory, describeViolations } from './checker.ts';
import { killing } from './killing.ts';
import { Target, wardle } from './target.ts';

const KILLS = Number(process.env.FAULT_KILLS ?? (isFull ? 12 : 3));
/** Beyond this number the run prints its progress. */
const MANY_KILLS = 20;
const WRITERS = 12;
const STARTS_IN_VAIN = 2;
const LIFE_WRITES = { min: 0, max: isFull ? 400 : 250 } as const;

test(`nothing is lost, and no watch is wrong, after ${KILLS} kills`, async (t) => {
  const random = seededRandom(t);
  const dataDir = await temporaryDirectory(t);
  const target = await Target.create(t, { dataDir, program: wardle(dataDir) });
  // Also the very first starts, which make the database, may not live long enough.
  for (let start = 0; start < STARTS_IN_VAIN; start += 1) await target.startInVain(random);
  const disturb = killing({
    kills: KILLS,
    lifeWrites: LIFE_WRITES,
    ...(KILLS >= MANY_KILLS && { progressEvery: 10 }),
  });
  const run = { seed: random.seed, writers: WRITERS, disturb, restart: true };
  const { history, figures } = await attack(target, run);
  t.diagnostic(describeFigures(figures));
  await target.stop();

  const violations = checkHistory(history);
  assert.ok(violations.length === 0, `\n${describeViolations(violations)}`);
  // The store retains minutes of history: no watcher was away for that long.
  assert.equal(figures.expired, 0, 'no watcher had to list again');
  const { findings } = await checkStore(dataDir);
  assert.deepEqual(findings, []);
});
