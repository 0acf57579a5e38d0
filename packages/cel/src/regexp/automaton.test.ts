/** Places that are found by states are those that a search finds which follows every way. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRegexp } from './parse.ts';
import { compileProgram } from './program.ts';
import { compileRegexp } from './regexp.ts';
import { newScratch, search } from './search.ts';

const PATTERNS = 1500;
const TEXTS_PER_PATTERN = 8;

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ATOMS = [
  'a',
  'b',
  'é',
  '.',
  '[ab]',
  '[^a]',
  '\\w',
  '\\pL',
  '^',
  '$',
  '\\b',
  '\\B',
  '(?m:^)',
  '(?m:$)',
  '(?i:A)',
  '\\n',
  '😀',
];
const REPEATS = ['', '', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?'];
const CHARACTERS = ['a', 'b', 'a', 'b', 'A', 'é', ' ', '\n', '😀', '_'];

function randomPattern(below: (limit: number) => number, depth: number): string {
  const one = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
  const part = () =>
    depth > 0 && below(3) === 0 ? `(${randomPattern(below, depth - 1)})` : one(ATOMS);
  const sequence = () => Array.from({ length: 1 + below(3) }, () => part() + one(REPEATS)).join('');
  return Array.from({ length: 1 + below(2) }, sequence).join('|');
}

test('random patterns in random texts', (t) => {
  const seed = Number(process.env.TRIBUTARY_SEED ?? Date.now() % 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const below = randomNumbers(seed);
  for (let index = 0; index < PATTERNS; index++) {
    const pattern = randomPattern(below, 2);
    const compiled = compileRegexp(pattern);
    // Some repeat what cannot be repeated.
    if (!compiled.ok) continue;
    const program = compileProgram(parseRegexp(pattern));
    const scratch = newScratch(program);
    for (let round = 0; round < TEXTS_PER_PATTERN; round++) {
      const text = Array.from(
        { length: below(12) },
        () => CHARACTERS[below(CHARACTERS.length)],
      ).join('');
      const wanted = search(program, text, 0, { steps: { add: () => {} }, scratch });
      const where = `/${pattern}/ in ${JSON.stringify(text)}, seed ${seed}`;
      assert.deepEqual(compiled.regexp.find(text), wanted, where);
      assert.equal(compiled.regexp.matches(text), wanted !== undefined, where);
    }
  }
});

test('states that are made anew in the middle of a text are none the worse', () => {
  // Each of the last twelve letters makes another state.
  const regexp = compileRegexp('(a|b)*a(a|b){11}');
  assert.ok(regexp.ok);
  const below = randomNumbers(7);
  const text = Array.from({ length: 30_000 }, () => 'ab'[below(2)]).join('');
  const program = compileProgram(parseRegexp('(a|b)*a(a|b){11}'));
  const wanted = search(program, text, 0, {
    steps: { add: () => {} },
    scratch: newScratch(program),
  });
  assert.deepEqual(regexp.regexp.find(text), wanted);
});
