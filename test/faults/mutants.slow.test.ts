/** The same run against servers that are broken on purpose: the checker must object to each of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom, suiteScope, temporaryDirectory } from '../harness/index.ts';
import { attack, describeFigures } from './attack.ts';
import { checkHistory, describeViolations } from './checker.ts';
import { killing } from './killing.ts';
import { mutants } from './mutants.ts';
import { mutantServer, Target } from './target.ts';

const WRITERS = 10;
const LIFE_WRITES = { min: 120, max: 180 } as const;
/** A fault needs the right moment; a run without it proves nothing, and is done again. */
const ATTEMPTS = 3;
/** A watcher whose last event is dropped waits in vain. */
const MISSED_MS = 10_000;

describe('a server with a fault is found out', () => {
  const compileCache = temporaryDirectory(suiteScope('servers with a fault'));
  for (const { name, rules, kills } of mutants) {
    test(`fault: ${name}`, async (t) => {
      const random = seededRandom(t);
      for (let attempt = 1; ; attempt += 1) {
        const dataDir = await temporaryDirectory(t);
        const program = mutantServer(dataDir, { fault: name, compileCache: await compileCache });
        const target = await Target.create(t, { dataDir, program });
        const seed = random.int(0, 2 ** 31);
        const disturb = killing({ kills, lifeWrites: LIFE_WRITES });
        const catchUp = rules.includes('watch-missed') ? { catchUpMs: MISSED_MS } : {};
        const run = { seed, writers: WRITERS, disturb, restart: kills > 0, ...catchUp };
        const { history, figures } = await attack(target, run);
        await target.stop();
        const violations = checkHistory(history);
        t.diagnostic(describeFigures(figures));
        t.diagnostic(describeViolations(violations, 1));
        if (rules.length === 0) {
          assert.ok(violations.length === 0, describeViolations(violations));
          return;
        }
        if (violations.some(({ rule }) => rules.includes(rule))) return;
        assert.ok(attempt < ATTEMPTS, `not found out in ${ATTEMPTS} runs`);
      }
    });
  }
});
