/** Calls whose work upstream counts only when it is done, or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CelError, CostLimitExceeded } from '../values/errors.ts';
import { arrayList } from '../values/lists.ts';
import type { Value } from '../values/value.ts';
import { KUBERNETES_LIBRARIES } from './kubernetes.ts';

function call(name: string, id: string, args: readonly Value[]): unknown {
  const declared = KUBERNETES_LIBRARIES.flatMap(({ library }) => library.functions);
  const own = declared.filter((declaration) => declaration.name === name);
  const overload = own.flatMap(({ overloads }) => overloads).find((one) => one.id === id);
  assert.ok(overload, id);
  const run = overload.call ?? own.find(({ singleton }) => singleton)?.singleton?.call;
  assert.ok(run, id);
  return run(args, () => {});
}

const numbers = arrayList(Array.from({ length: 2000 }, (_, index) => BigInt(index % 7)));
const text = 'x'.repeat(10_000);
const texts = arrayList(new Array<string>(2000).fill(text));
const nested = arrayList(new Array<Value>(1000).fill(numbers));

const refused: { name: string; id: string; args: Value[] }[] = [
  { name: 'distinct', id: 'list_distinct', args: [numbers] },
  { name: 'sort', id: 'list_int_sort', args: [numbers] },
  { name: 'sets.contains', id: 'list_sets_contains_list', args: [numbers, numbers] },
  { name: 'sets.equivalent', id: 'list_sets_equivalent_list', args: [numbers, numbers] },
  { name: 'flatten', id: 'list_flatten', args: [nested] },
  { name: 'join', id: 'list_join', args: [texts] },
  { name: 'replace', id: 'string_replace_string_string', args: [text, 'x', text] },
];
test('lists.range beyond its bound is an error and makes no list', () => {
  const result = call('lists.range', 'lists_range', [2n ** 62n]);
  assert.ok(result instanceof CelError);
  assert.match(result.message, /exceeds maximum allowed/);
});

for (const { name, id, args } of refused) {
  test(`${name} of too much is not begun`, () => {
    const started = process.cpuUsage();
    assert.throws(() => call(name, id, args), CostLimitExceeded);
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 1_000_000, `${user + system} µs`);
  });
}

test('no overload has the id of another', () => {
  const functions = KUBERNETES_LIBRARIES.flatMap(({ library }) => library.functions);
  const ids = functions.flatMap(({ overloads }) => overloads.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
});
