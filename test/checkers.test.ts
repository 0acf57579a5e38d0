/** The recorded mutants and checkers still exist, and a test of some tier runs them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findTestFiles, suites } from '../scripts/test-plan.ts';
import { checkersOf, testsReaching } from './tidy/checkers.ts';
import { repositoryTree, treeOf } from './tidy/tree.ts';

const root = join(import.meta.dirname, '..');
const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'checkers.json'), 'utf8'),
) as string[];

test('every recorded mutant and checker still exists', () => {
  const now = new Set([...checkersOf(repositoryTree(root)).values()].flat());
  assert.deepEqual(
    recorded.filter((name) => !now.has(name)),
    [],
  );
});

test('every file of mutants and checkers is reached by a test of some tier', () => {
  const tree = repositoryTree(root);
  const run = new Set(Object.values(suites).flatMap((suite) => findTestFiles(root, suite)));
  for (const file of checkersOf(tree).keys()) {
    assert.ok(
      testsReaching(tree, file).some((path) => run.has(path)),
      `no test that a tier runs reaches ${file}`,
    );
  }
});

test('a lost mutant and an unused file of mutants are detected', () => {
  const tree = treeOf({
    'test/a/mutants.ts': "export const mutants = [{ name: 'drops an event' }];",
    'test/a/run.slow.test.ts': "import './suite.ts';",
    'test/a/suite.ts': "import './mutants.ts';",
    'test/b/broken-things.ts': "const x = { fault: 'forgets' };",
  });
  assert.deepEqual([...checkersOf(tree).values()].flat(), ['drops an event', 'forgets']);
  assert.deepEqual(testsReaching(tree, 'test/a/mutants.ts'), ['test/a/run.slow.test.ts']);
  assert.deepEqual(testsReaching(tree, 'test/b/broken-things.ts'), []);
});
