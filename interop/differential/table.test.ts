import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIFFERENCES_MAX, differences } from './differences.ts';
import { wardleSuite } from './suite.ts';
import { repeated, tableSuite } from './table-suite.ts';

tableSuite(wardleSuite, { rowsMin: 90 });

test(`at most ${DIFFERENCES_MAX} deliberate differences, each with its benefit`, () => {
  assert.ok(differences.length <= DIFFERENCES_MAX);
  assert.deepEqual(repeated(differences.map(({ id }) => id)), []);
  for (const { id, benefit } of differences) assert.ok(benefit.length > 20, id);
});
