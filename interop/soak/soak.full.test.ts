/** The soak in short; and the same with servers that are broken on purpose, to which its checkers must object. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeViolations } from '../../test/faults/checker.ts';
import { progress, requireProgram, seededRandom } from '../../test/harness/index.ts';
import { type SoakOptions, soak } from './run.ts';

/** Three kills of the gateway, one of wardle, and one of each in the end. */
const SHORT = { seconds: 120, killEverySeconds: 30, wardleEvery: 3 } as const;

test('two minutes with three kills: nothing is lost, missed, left over or uncollected', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const { violations, summary } = await soak(t, {
    seed: seededRandom(t).seed,
    controllers: 'original',
    plan: SHORT,
    onProgress: progress,
  });
  for (const line of summary) t.diagnostic(line);
  assert.ok(violations.length === 0, `\n${describeViolations(violations)}`);
});

interface Fault extends Pick<SoakOptions, 'faults' | 'quietSeconds'> {
  readonly name: string;
  /** One of them shows it. */
  readonly rules: readonly string[];
}

const faults: readonly Fault[] = [
  {
    name: 'wardle acknowledges before it commits',
    faults: { wardle: 'acknowledges before it commits' },
    rules: ['lost', 'overwrote', 'revision-back', 'revision-reused', 'stale'].map(
      (rule) => `flunders/${rule}`,
    ),
  },
  {
    name: 'wardle drops an event',
    faults: { wardle: 'drops an event' },
    rules: ['flunders/watch-missed'],
  },
  {
    name: 'wardle repeats an event',
    faults: { wardle: 'repeats an event' },
    rules: ['flunders/watch-repeated'],
  },
  {
    name: 'tributary up does not delete what it says it has deleted',
    faults: { gateway: 'does not delete what it says it has deleted' },
    rules: ['namespaces/stuck'],
    quietSeconds: 5,
  },
  {
    name: 'tributary up keeps what it tells to be deleted',
    faults: { gateway: 'keeps what it tells to be deleted' },
    rules: ['namespaces/left-over'],
  },
  { name: 'nobody collects what has lost its owner', rules: ['owners/uncollected'] },
];
/** Wardle is killed once in the middle, and both once in the end. */
const FAULTY = { seconds: 16, killEverySeconds: 16, wardleEvery: 1 } as const;
/** A fault needs the right moment; a run without it proves nothing, and is done again. */
const ATTEMPTS = 3;

describe('a soak with a fault is found out', () => {
  for (const { name, rules, ...rest } of faults) {
    test(`fault: ${name}`, async (t) => {
      if ((await requireProgram(t, 'go')) === undefined) return;
      const random = seededRandom(t);
      for (let attempt = 1; ; attempt += 1) {
        const { violations } = await soak(t, {
          seed: random.int(0, 2 ** 31),
          // The own ones, which collect nothing.
          controllers: 'own',
          plan: FAULTY,
          quietSeconds: 8,
          onProgress: () => {},
          ...rest,
        });
        t.diagnostic(describeViolations(violations, 1));
        if (violations.some(({ rule }) => rules.includes(rule))) return;
        assert.ok(attempt < ATTEMPTS, `not found out in ${ATTEMPTS} runs`);
      }
    });
  }
});
