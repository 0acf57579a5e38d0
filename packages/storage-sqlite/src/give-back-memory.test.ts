import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveBackMemory } from './give-back-memory.ts';

test('what nobody holds any more is given back', async () => {
  const gone = new WeakRef({ nobody: 'holds this' });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(giveBackMemory(), true);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(gone.deref(), undefined);
});

test('a thread that holds much is left alone', () => {
  assert.equal(giveBackMemory(1024), false);
});
