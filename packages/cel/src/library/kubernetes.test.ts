import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetesLibraries, mutationLibraries } from './kubernetes.ts';

function names(minor: number): string[] {
  return kubernetesLibraries(minor).map(({ name }) => name);
}

const rows = [
  { minor: 26, has: 'kubernetes.urls', hasNot: 'kubernetes.authz' },
  { minor: 28, has: 'kubernetes.quantity', hasNot: 'cel.lib.ext.sets' },
  { minor: 30, has: 'kubernetes.net.cidr', hasNot: 'kubernetes.format' },
  { minor: 33, has: 'kubernetes.Semver', hasNot: 'cel.lib.ext.lists' },
  { minor: 36, has: 'cel.lib.ext.lists', hasNot: 'cel.lib.ext.math' },
];
for (const { minor, has, hasNot } of rows) {
  test(`1.${minor} has ${has} and not ${hasNot}`, () => {
    assert.ok(names(minor).includes(has));
    assert.ok(!names(minor).includes(hasNot));
  });
}

test('only mutating policies write patches', () => {
  const patch = 'kubernetes.jsonpatch';
  assert.ok(!names(36).includes(patch));
  assert.ok(mutationLibraries().some(({ name }) => name === patch));
});
