import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LazyMap } from './lazy-map.ts';

function lengths(...names: readonly string[]) {
  const made: string[] = [];
  const sources = names.map((name): [string, string] => [name, name]);
  const map = new LazyMap(sources, (text) => {
    made.push(text);
    return text.length;
  });
  return { map, made };
}

test('a lazy value is made on first use, once', () => {
  const { map, made } = lengths('a', 'bb', 'ccc');
  assert.equal(map.size, 3);
  assert.deepEqual([map.has('bb'), map.has('d'), map.get('d')], [true, false, undefined]);
  assert.deepEqual([...map.keys()], ['a', 'bb', 'ccc']);
  assert.deepEqual(made, []);
  assert.deepEqual([map.get('bb'), map.get('bb')], [2, 2]);
  assert.deepEqual(made, ['bb']);
});

test('iteration follows the order of the sources', () => {
  const { map, made } = lengths('a', 'bb', 'ccc');
  map.get('ccc');
  const all = [
    ['a', 1],
    ['bb', 2],
    ['ccc', 3],
  ];
  assert.deepEqual([...map], all);
  assert.deepEqual([...map.entries()], all);
  assert.deepEqual([...map.values()], [1, 2, 3]);
  const seen: unknown[] = [];
  map.forEach((value, name) => {
    seen.push([name, value]);
  });
  assert.deepEqual(seen, all);
  assert.deepEqual(made, ['ccc', 'a', 'bb']);
});

test('a lazy map may have the key `__proto__`', () => {
  const { map } = lengths('__proto__');
  assert.equal(map.get('__proto__'), 9);
  assert.equal(map.get('constructor'), undefined);
});
