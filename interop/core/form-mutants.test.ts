import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBody } from './form-mutants.ts';

const cases = [
  { name: 'compact', body: '{"a":[1]}' },
  { name: 'a line', body: '{"a":[1]}\n' },
  { name: 'indented', body: '{\n  "a": 1\n}' },
  { name: 'an indented line', body: '{\n  "a": 1\n}\n' },
  { name: 'no JSON', body: 'ok' },
];
for (const { name, body } of cases) {
  test(`the layer that makes bugs keeps a layout: ${name}`, () => {
    const response = { status: 200, headers: [], body };
    assert.deepEqual(onBody((same) => same)(response), response);
  });
}
