/** Namespaces are deleted in control planes that are broken on purpose: the checker must object to each of them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runSource, seededRandom, suiteScope, temporaryDirectory } from '../harness/index.ts';
import { describeFigures } from './attack.ts';
import { describeViolations } from './checker.ts';
import { adminOf } from './core-program.ts';
import { attackNamespaces } from './namespace-attack.ts';
import { checkNamespaces } from './namespace-checker.ts';
import { namespaceMutants } from './namespace-mutants.ts';
import { Target } from './target.ts';

const SERVER = join(import.meta.dirname, 'core-mutant-server.ts');
const RUN = { rounds: 2, objectsEach: 30, kills: false } as const;
/** Of a server that will never come to an end. */
const CONVERGE_MS = 2_500;
/** A fault needs the right moment; a run without it proves nothing, and is done again. */
const ATTEMPTS = 3;

describe('a control plane with a fault is found out', () => {
  const compileCache = temporaryDirectory(suiteScope('control planes with a fault'));
  for (const { name, rules } of namespaceMutants) {
    test(`fault: ${name}`, async (t) => {
      const random = seededRandom(t);
      for (let attempt = 1; ; attempt += 1) {
        const dataDir = await temporaryDirectory(t);
        const program = {
          ...runSource(SERVER, [dataDir, name]),
          env: { NODE_COMPILE_CACHE: await compileCache },
        };
        const credentials = await adminOf(dataDir);
        const target = await Target.create(t, { dataDir, program, credentials });
        const seed = random.int(0, 2 ** 31);
        const patience = rules.includes('stuck') ? { convergeMs: CONVERGE_MS } : {};
        const { history, figures } = await attackNamespaces(target, dataDir, {
          ...RUN,
          ...patience,
          seed,
        });
        const violations = checkNamespaces(history);
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
