import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { SeededRandom, seededRandom } from './random.ts';
import { createScope } from './scope.ts';
import { temporaryDirectory } from './temporary.ts';

test('the same seed gives the same values', () => {
  const values = (random: SeededRandom) => [
    random.next(),
    random.int(1, 6),
    random.pick([1, 2, 3]),
  ];
  assert.deepEqual(values(new SeededRandom(7)), values(new SeededRandom(7)));
  assert.notDeepEqual(values(new SeededRandom(7)), values(new SeededRandom(8)));
});

test('every value of a range occurs, and no other', () => {
  const random = new SeededRandom(1);
  const seen = new Set(Array.from({ length: 1_000 }, () => random.int(1, 6)));
  assert.deepEqual([...seen].sort(), [1, 2, 3, 4, 5, 6]);
});

test('a shuffle keeps every element', () => {
  const values = Array.from({ length: 50 }, (_, index) => index);
  const shuffled = new SeededRandom(1).shuffle(values);
  assert.notDeepEqual(shuffled, values);
  assert.deepEqual(
    shuffled.toSorted((a, b) => a - b),
    values,
  );
});

test('a pick from an empty list fails', () => {
  assert.throws(() => new SeededRandom(1).pick([]), /nothing to pick/);
});

test('TEST_SEED sets the seed, and must be a number', () => {
  assert.equal(seededRandom(createScope('seed'), { TEST_SEED: '42' }).seed, 42);
  assert.throws(() => seededRandom(createScope('seed'), { TEST_SEED: 'x' }), /whole number/);
});

test('a failed test prints how to repeat it', async (t) => {
  const file = join(await temporaryDirectory(t), 'fixture.mjs');
  const harness = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'random.ts')).href);
  await writeFile(
    file,
    `import { test } from 'node:test';
     import { seededRandom } from ${harness};
     test('unlucky', (t) => { seededRandom(t); throw new Error('on purpose'); });
     test('lucky', (t) => { seededRandom(t); });`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, file], {
    env: { ...env, TEST_SEED: '42' },
    encoding: 'utf8',
  });
  assert.match(stderr, /unlucky: repeat with TEST_SEED=42/);
  assert.doesNotMatch(stderr, /^lucky: repeat/m);
  assert.match(stdout, /seed 42/);
});
