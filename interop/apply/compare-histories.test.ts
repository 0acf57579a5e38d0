/** That a wrong server is found: ours against itself, and against itself with something wrong. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createPki, createScope } from '../../test/harness/index.ts';
import { compareHistories, type Run } from './compare-histories.ts';
import { api } from './mixture.ts';
import { mutants, mutatedSide } from './mutants.ts';
import type { Side } from './side.ts';
import { startOurSide } from './sides.ts';
import { mixtures } from './subject.ts';

const SEED = 5;
const HISTORIES = 40;

suite('comparing histories', () => {
  const scope = createScope('apply mutants');
  let one: Side;
  let other: Side;

  before(async () => {
    const pki = await createPki();
    one = await startOurSide(scope, api, pki);
    other = await startOurSide(scope, api, pki);
  });
  after(() => scope.close());

  const compare = (sides: readonly [Side, Side], prefix: string): Promise<Run> =>
    compareHistories({
      subject: mixtures,
      sides,
      namespace: 'default',
      seed: SEED,
      count: HISTORIES,
      findingsMax: 1,
      prefix,
    });

  test('finds nothing between a server and itself', async () => {
    const { count, findings } = await compare([one, other], 'same');
    assert.equal(count, HISTORIES);
    assert.deepEqual(findings, []);
  });

  for (const [index, mutant] of mutants.entries()) {
    test(`finds that ${mutant.name}`, async () => {
      const run = await compare([mutatedSide(one, mutant), other], `mutant-${index}`);
      assert.equal(run.findings.length, 1);
    });
  }

  test('shortens what it finds, and it still shows', async () => {
    const mutant = mutants.find(({ name }) => name === 'the owner is another one');
    assert.ok(mutant);
    const { findings } = await compare([mutatedSide(one, mutant), other], 'short');
    assert.equal(findings[0]?.history.length, 1);
  });
});
