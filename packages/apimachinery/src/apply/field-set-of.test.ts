import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldSetFacts, namedType } from '../../test/apply-facts.ts';
import { fieldSetOf } from './field-set-of.ts';
import { encodeFieldsV1 } from './fields-v1.ts';
import { printPath } from './path-element.ts';

for (const { name, schema, value, set, paths } of fieldSetFacts) {
  test(`fields of ${schema}: ${name}`, () => {
    const fields = fieldSetOf(value, namedType(schema));
    assert.equal(JSON.stringify(encodeFieldsV1(fields)), set);
    assert.deepEqual([...fields.paths()].map(printPath), paths);
  });
}
