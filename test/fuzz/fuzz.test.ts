/** Every parser that meets foreign bytes, with a few thousand inputs; `fuzz.timing.test.ts` has a hundred thousand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom, seededRandom } from '../harness/index.ts';
import { fuzz, readCorpus, tryOne } from './fuzz.ts';
import type { FuzzTarget } from './target.ts';
import { errorsOf } from './target.ts';
import { targets } from './targets.ts';

const INPUTS = 2_000;

for (const target of targets) {
  test(`${target.name}: ${INPUTS} mutated inputs break nothing`, async (t) => {
    const result = await fuzz(target, { inputs: INPUTS, random: seededRandom(t) });
    const { accepted, refused, outcomes } = result;
    t.diagnostic(`${accepted} accepted, ${refused} refused, ${outcomes} outcomes`);
    // Inputs that are all refused, or all accepted with one outcome, would test nothing.
    assert.ok(accepted >= INPUTS / 500, `only ${accepted} were accepted`);
    assert.ok(outcomes > 2, `only ${outcomes} outcomes`);
  });

  test(`${target.name}: every input of its corpus is read as it was`, async () => {
    const corpus = readCorpus(target);
    assert.ok(corpus.length > 0);
    for (const input of corpus) await tryOne(target, input);
  });
}

class BadInput extends Error {}

/** A parser with an error behind a rule that only mutation finds. */
const broken: FuzzTarget = {
  name: 'a parser with an error',
  corpus: 'labels',
  tokens: ['(', ')', '!'],
  run(input) {
    const text = input.toString();
    if (text.includes('(') && text.includes('!')) return (undefined as unknown as string).trim();
    if (text.length > 8) throw new BadInput('too long');
    return 'read';
  },
  refuses: errorsOf(BadInput),
};

test('an input that breaks a parser fails the run and is shown', async () => {
  const run = fuzz(broken, { inputs: INPUTS, random: new SeededRandom(1) });
  await assert.rejects(
    run,
    /^Error: a parser with an error broke at an input, in base64: [\w+/=]+$/,
  );
});
