import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CelError } from './errors.ts';
import { EntryMap, GrowingMap, withEntry } from './maps.ts';
import { Uint, type Value } from './value.ts';

const map = new EntryMap();
map.set(1n, 'int');
map.set(new Uint(2n), 'uint');
map.set('1', 'string');
map.set(true, 'bool');
map.set('__proto__', 'data');

const found: readonly (readonly [name: string, key: Value, value: string | undefined])[] = [
  ['an int', 1n, 'int'],
  ['a uint by an int', 2n, 'uint'],
  ['an int by a uint', new Uint(1n), 'int'],
  ['an int by a double', 1, 'int'],
  ['no int by a fraction', 1.5, undefined],
  ['a string', '1', 'string'],
  ['a bool', true, 'bool'],
  ['a name of the prototype that is there', '__proto__', 'data'],
  ['none that is not', 'constructor', undefined],
  ['no key of another type', null, undefined],
];

for (const [name, key, value] of found) {
  test(`a map finds ${name}`, () => assert.equal(map.get(key), value));
}

test('keys are there once, in order', () => {
  const twice = new EntryMap();
  twice.set('b', 1n);
  twice.set('a', 2n);
  twice.set('b', 3n);
  assert.deepEqual([...twice.keys()], ['b', 'a']);
  assert.equal(twice.size, 2);
  assert.equal(twice.get('b'), 3n);
});

test('inserting refuses keys that are there and leaves other maps alone', () => {
  const fixed = new EntryMap();
  fixed.set('a', 1n);
  const more = withEntry(fixed, 'b', 2n);
  assert.ok(!(more instanceof CelError));
  assert.deepEqual([fixed.size, more.size], [1, 2]);
  const growing = new GrowingMap();
  assert.equal(withEntry(growing, 'a', 1n), growing);
  const refused = withEntry(growing, 'a', 2n);
  assert.equal(
    refused instanceof CelError && refused.message,
    'insert failed: key a already exists',
  );
});
