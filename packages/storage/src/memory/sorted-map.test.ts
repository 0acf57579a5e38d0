import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import { compareKeys, prefixEnd } from '../contract/keys.ts';
import { SortedMap } from './sorted-map.ts';

/** Few letters make keys collide; the last two sort differently as UTF-16 and as UTF-8. */
const keys = fc
  .array(fc.constantFrom('a', 'b', '-', '/', 'é', '\u{1f600}', '\uffee'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((letters) => letters.join(''));
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), key: keys }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: keys }) },
  ),
  { maxLength: 2000, size: 'max' },
);

test('compareKeys has the order of UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const bytes = Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.equal(Math.sign(compareKeys(a, b)), bytes);
    }),
  );
});

test('the end of a prefix stands behind its keys and before all others', () => {
  const words = fc.string({ unit: 'binary' });
  const near = fc.constantFrom('\ud7ff', '\u{10ffff}', 'a\u{10ffff}', 'a\ud7ff\u{10ffff}', '');
  fc.assert(
    fc.property(fc.oneof(near, words), words, fc.boolean(), (prefix, word, under) => {
      const key = under ? prefix + word : word;
      const end = prefixEnd(prefix);
      const inRange = compareKeys(key, prefix) >= 0 && (!end || compareKeys(key, end) < 0);
      assert.equal(inRange, key.startsWith(prefix));
    }),
  );
});

test('a SortedMap behaves like a map that is sorted on every read', () => {
  const property = fc.property(steps, keys, keys, (todo, prefix, after) => {
    const sorted = new SortedMap<number>();
    const model = new Map<string, number>();
    todo.forEach(({ kind, key }, at) => {
      const before = model.get(key);
      if (kind === 'set') model.set(key, at);
      else model.delete(key);
      assert.equal(kind === 'set' ? sorted.set(key, at) : sorted.delete(key), before);
      assert.equal(sorted.get(key), model.get(key));
    });
    assert.equal(sorted.size, model.size);
    for (const range of [{ prefix: '' }, { prefix }, { prefix: '', after }, { prefix, after }]) {
      const expected = [...model]
        .filter(([key]) => key.startsWith(range.prefix))
        .filter(([key]) => range.after === undefined || compareKeys(key, range.after) > 0)
        .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual([...sorted.range(range)], expected);
      assert.equal(sorted.count(range), expected.length);
    }
  });
  fc.assert(property, { numRuns: 60 });
});

test('many keys in any order are written, found and counted in logarithmic time', (t) => {
  const map = new SortedMap<number>();
  const size = 200_000;
  const writeCpuMs = cpuMsOf(() => {
    for (let at = 0; at < size; at += 1) map.set(`/registry/pods/${(at * 7919) % size}`, at);
  });
  assert.equal(map.size, size);
  assert.equal(map.count({ prefix: '/registry/pods/12' }), 11_111);
  const probes = 20_000;
  const cpuMs = cpuMsOf(() => {
    for (let at = 0; at < probes; at += 1) map.get(`/registry/pods/${(at * 104_729) % size}`);
  });
  t.diagnostic(`${size} keys: ${writeCpuMs} ms to write; ${probes} gets: ${cpuMs} ms`);
  assert.ok(cpuMs < 2000, `${cpuMs} ms for ${probes} gets`);
});
