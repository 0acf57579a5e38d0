import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listOrderFacts, namedType, pairFacts } from '../../test/apply-facts.ts';
import { mergeTyped } from './merge.ts';
import { deduced } from './type.ts';

for (const { name, schema, before, after, merged } of pairFacts) {
  test(`merging ${schema}: ${name}`, () => {
    assert.deepEqual(mergeTyped(before, after, namedType(schema)), merged);
  });
}

for (const { live, config, set, items } of listOrderFacts) {
  test(`order of ${live || 'nothing'} with ${config || 'nothing'} applied`, () => {
    const hosts = mergeTyped({ hosts: [...live] }, { hosts: [...config] }, namedType('set'));
    assert.deepEqual(hosts, { hosts: [...set] });
    const named = mergeTyped(itemsOf(live), itemsOf(config), namedType('listMap'));
    assert.deepEqual(named, itemsOf(items));
  });
}

function itemsOf(names: string): { items: { name: string }[] } {
  return { items: [...names].map((name) => ({ name })) };
}

const objects = fc.dictionary(fc.string(), fc.jsonValue());

test('a repeated merge changes nothing', () => {
  fc.assert(
    fc.property(objects, objects, (live, config) => {
      const once = mergeTyped(live, config, deduced);
      assert.deepEqual(mergeTyped(once, config, deduced), once);
    }),
  );
});

test('a merge does not modify its arguments', () => {
  fc.assert(
    fc.property(objects, objects, (live, config) => {
      const before = JSON.stringify([live, config]);
      mergeTyped(live, config, deduced);
      assert.equal(JSON.stringify([live, config]), before);
    }),
  );
});

test('a merged list retains the order of the configuration', () => {
  const letters = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
  fc.assert(
    fc.property(letters, letters, (live, config) => {
      const { hosts = [] } = (mergeTyped({ hosts: live }, { hosts: config }, namedType('set')) ??
        {}) as { hosts?: string[] };
      assert.deepEqual(
        hosts.filter((host) => config.includes(host)),
        config,
      );
      assert.deepEqual(hosts.toSorted(), [...new Set([...live, ...config])].sort());
    }),
  );
});

test('__proto__ is data', () => {
  const config: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
  const merged = mergeTyped({ a: 1 }, config, deduced) as Record<string, unknown>;
  assert.equal(JSON.stringify(merged), '{"a":1,"__proto__":{"polluted":true}}');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('a deep document is merged', () => {
  const deep = (leaf: number) => JSON.parse(`${'{"a":'.repeat(1000)}${leaf}${'}'.repeat(1000)}`);
  assert.deepEqual(mergeTyped(deep(1), deep(2), deduced), deep(2));
});
