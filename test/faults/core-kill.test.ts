/** The control plane, killed with SIGKILL while namespaces are deleted and others write into them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStore } from '@tributary/storage-sqlite';
import { isFull } from '../../interop/full.ts';
import { seededRandom } from '../harness/index.ts';
import { describeFigures } from './attack.ts';
import { describeViolations } from './checker.ts';
import { createCore } from './core-program.ts';
import { attackNamespaces } from './namespace-attack.ts';
import { checkNamespaces } from './namespace-checker.ts';

/** The long run is for `npm run test:full`. */
const KILLS = Number(process.env.FAULT_KILLS ?? (isFull ? 12 : 2));
const OBJECTS_EACH = isFull ? 200 : 75;

test(`deletions of namespaces come to their end after ${KILLS} kills`, async (t) => {
  const random = seededRandom(t);
  const { target, dataDir } = await createCore(t);
  const options = { seed: random.seed, rounds: KILLS, objectsEach: OBJECTS_EACH, kills: true };
  const { history, figures } = await attackNamespaces(target, dataDir, options);
  t.diagnostic(describeFigures(figures));

  const violations = checkNamespaces(history);
  assert.ok(violations.length === 0, `\n${describeViolations(violations)}`);
  // Otherwise nothing was shown.
  assert.ok(figures.interrupted > 0, 'some deletions were under way when the server was killed');
  assert.ok(figures.terminating > 0, 'some creates met a namespace that was going away');
  assert.ok(figures.missing > 0, 'some creates met a namespace that was not there');
  assert.ok(
    history.final.storedKeys.some((key) => key.includes('/safe-0/')),
    'the store was read',
  );
  const { findings } = await checkStore(dataDir);
  assert.deepEqual(findings, []);
});
