/** That a wrong server is found: ours against itself, and against itself with something wrong. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createScope } from '../../test/harness/index.ts';
import { startOurCore } from '../core/ours.ts';
import { compareSequences, type Run } from './compare-sequences.ts';
import { describeFinding } from './describe-finding.ts';
import { type Mutant, mutants, mutatedSide } from './mutants.ts';
import type { Side } from './run-sequence.ts';
import { controlPlane } from './sides.ts';
import { core } from './worlds.ts';

const SEED = 1;
const SEQUENCES = 12;
/** Both are here, and near. */
const QUIET_MS = 150;

/** Tries so many mutants; everything else is always tried. */
export function mutantSuite(tried: readonly Mutant[]): void {
  suite('comparing sequences', () => {
    const scope = createScope('sequence mutants');
    let one: Side;
    let other: Side;

    before(async () => {
      const targets = await Promise.all([startOurCore(scope), startOurCore(scope)]);
      [one, other] = targets.map(controlPlane) as [Side, Side];
    });
    after(() => scope.close());

    const compare = (ours: Side, prefix: string, shorten = false): Promise<Run> =>
      compareSequences({
        world: core,
        sides: { ours, original: other },
        seed: SEED,
        count: SEQUENCES,
        findingsMax: 1,
        shorten,
        quietMs: QUIET_MS,
        prefix,
      });

    test('finds nothing between a server and itself', async () => {
      const { count, findings } = await compare(one, 'same');
      assert.deepEqual(findings.map(describeFinding), []);
      assert.equal(count, SEQUENCES);
    });

    for (const [index, mutant] of tried.entries()) {
      test(`finds that ${mutant.name}`, async () => {
        const { findings } = await compare(mutatedSide(one, mutant), `mutant-${index}-`);
        assert.equal(findings.length, 1, 'went unnoticed');
      });
    }

    test('shortens what it finds, and says how to repeat it', async () => {
      const mutant = mutants.find(({ name }) => name === 'a create is answered like a change');
      assert.ok(mutant);
      const [finding] = (await compare(mutatedSide(one, mutant), 'short', true)).findings;
      assert.ok(finding);
      assert.equal(finding.row.steps.length, 1, describeFinding(finding));
      assert.match(describeFinding(finding), /SEQUENCES_SEED=\d+ SEQUENCES=1/);
    });

    test('the layer that makes bugs is not one itself', async () => {
      const identity: Mutant = {
        name: 'nothing',
        response: (response) => response,
        events: (all) => all,
      };
      assert.deepEqual((await compare(mutatedSide(one, identity), 'identity')).findings, []);
    });
  });
}
