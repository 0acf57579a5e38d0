import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedType, setFacts } from '../../test/apply-facts.ts';
import { decodeFieldsV1 } from './fields-v1.ts';
import { removeItems } from './remove-items.ts';

for (const { operation, name, schema, value, set, want } of setFacts) {
  if (operation !== 'remove') continue;
  test(`removal from ${schema}: ${name}`, () => {
    const before = JSON.stringify(value);
    const rest = removeItems(value, decodeFieldsV1(set), namedType(schema));
    assert.equal(JSON.stringify(sorted(rest)), JSON.stringify(sorted(want)));
    assert.equal(JSON.stringify(value), before, 'the value was modified');
  });
}

/** `deepEqual` treats `__proto__` as a prototype; JSON does not. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)]);
}
