/** Every parser that meets foreign bytes, with a hundred thousand inputs, none of which takes long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../harness/index.ts';
import { fuzz, tryOne } from './fuzz.ts';
import { targets } from './targets.ts';

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 100_000);
const CPU_MS_MAX = 100;
/** Compilation and collections come into the first try of an input, and are not its own. */
const TRIES = 3;

for (const target of targets) {
  test(`${target.name}: no one of ${INPUTS} inputs takes ${CPU_MS_MAX} ms of CPU`, async (t) => {
    const slow: Buffer[] = [];
    const onCost = (ms: number, input: Buffer): void => {
      if (ms > CPU_MS_MAX) slow.push(input);
    };
    const result = await fuzz(target, { inputs: INPUTS, random: seededRandom(t), onCost });
    t.diagnostic(JSON.stringify({ ...result, slow: slow.length }));
    for (const input of slow) {
      const least = await leastCost(target, input);
      assert.ok(least <= CPU_MS_MAX, `${least} ms for ${input.toString('base64')}`);
    }
  });
}

async function leastCost(target: (typeof targets)[number], input: Buffer): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < TRIES; round += 1) {
    await tryOne(target, input, (ms) => {
      least = Math.min(least, ms);
    });
  }
  return least;
}
