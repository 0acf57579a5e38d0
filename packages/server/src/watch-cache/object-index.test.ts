import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareKeys } from '@tributary/storage';
import fc from 'fast-check';
import { ObjectIndex } from './object-index.ts';

/** Few enough that keys collide; with characters on both sides of where UTF-16 and UTF-8 orders differ. */
const segment = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '.', '/', 'ü', '\ufffd', '💧'),
  minLength: 1,
  maxLength: 4,
});

test('an index returns the same as a sorted list', () => {
  const step = fc.record({ key: segment, remove: fc.boolean() });
  const window = fc.record(
    { prefix: fc.oneof(fc.constant(''), segment), after: segment, limit: fc.nat(5) },
    { requiredKeys: ['prefix'] },
  );
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.array(window, { maxLength: 8 }),
      (steps, windows) => {
        const index = new ObjectIndex<{ key: string; value: number }>();
        const model = new Map<string, { key: string; value: number }>();
        for (const [value, { key, remove }] of steps.entries()) {
          if (remove) index.delete(key);
          else index.set({ key, value });
          if (remove) model.delete(key);
          else model.set(key, { key, value });
        }
        assert.equal(index.size, model.size);
        for (const { prefix, after, limit } of windows) {
          const want = [...model.values()]
            .filter(({ key }) => key.startsWith(prefix))
            .filter(({ key }) => after === undefined || compareKeys(key, after) > 0)
            .sort((a, b) => compareKeys(a.key, b.key));
          assert.deepEqual(index.slice({ prefix, after }, limit), want.slice(0, limit));
          assert.equal(index.count({ prefix, after }), want.length);
        }
      },
    ),
  );
});

test('blocks of an index split and empty without losing objects', () => {
  const index = new ObjectIndex<{ key: string }>();
  const keys = Array.from(
    { length: 5000 },
    (_, n) => `k/${String((n * 2711) % 5000).padStart(5, '0')}`,
  );
  for (const key of keys) index.set({ key });
  const sorted = keys.toSorted();
  assert.deepEqual(
    index.slice({ prefix: '' }).map(({ key }) => key),
    sorted,
  );
  assert.equal(index.count({ prefix: 'k/', after: 'k/01999' }), 3000);
  for (const key of sorted.slice(600, 4000)) index.delete(key);
  const rest = [...sorted.slice(0, 600), ...sorted.slice(4000)];
  assert.deepEqual(
    index.slice({ prefix: '' }).map(({ key }) => key),
    rest,
  );
  assert.equal(index.size, 1600);
});
