/** Checks the repository against rules that other tools cannot check. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { rules } from './tidy/rules.ts';
import { repositoryTree } from './tidy/tree.ts';

const tree = repositoryTree(join(import.meta.dirname, '..'));

for (const { name, check } of rules) {
  test(name, () => {
    const objections = check(tree);
    assert.ok(objections.length === 0, `\n${objections.join('\n')}`);
  });
}
