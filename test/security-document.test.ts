/** The files of docs/security.md exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');

test('every file that docs/security.md names exists', () => {
  const text = readFileSync(join(root, 'docs', 'security.md'), 'utf8');
  const named = [...text.matchAll(/`((?:packages|test)\/[^`]+)`/g)].map(([, path = '']) => path);
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path))),
    [],
  );
});
