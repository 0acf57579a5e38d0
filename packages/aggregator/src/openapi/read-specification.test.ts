import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DEPTH_MAX,
  ENTRIES_MAX,
  readSpecification,
  requireResolvable,
  writeSpecification,
} from './read-specification.ts';

const broken = [
  { name: 'nothing', text: '', says: /end of JSON/ },
  { name: 'no JSON', text: '<html>', says: /invalid character/ },
  { name: 'half a document', text: '{"swagger":"2.0","paths":{', says: /end of JSON/ },
  { name: 'a list', text: '[]', says: /no object/ },
  { name: 'another version', text: '{"openapi":"3.0.0"}', says: /not of OpenAPI 2\.0/ },
  {
    name: 'paths that are text',
    text: '{"swagger":"2.0","paths":"x"}',
    says: /paths are no object/,
  },
  {
    name: 'a definition that is a number',
    text: '{"swagger":"2.0","definitions":{"A":1}}',
    says: /A, among its definitions, is no object/,
  },
  {
    name: 'too deep',
    text: `{"swagger":"2.0","definitions":${'{"a":'.repeat(DEPTH_MAX)}1${'}'.repeat(DEPTH_MAX)}}`,
    says: /depth/,
  },
  {
    name: 'too many paths',
    text: JSON.stringify({
      swagger: '2.0',
      paths: Object.fromEntries(Array.from({ length: ENTRIES_MAX + 1 }, (_, i) => [`/${i}`, {}])),
    }),
    says: /more than 50000 paths/,
  },
];
for (const { name, text, says } of broken) {
  test(`refused: ${name}`, () => {
    assert.throws(() => readSpecification(Buffer.from(text)), says);
  });
}

const dangling = ['#/definitions/B', '#/parameters/p', 'other.json#/definitions/A', '#/x/A'];
for (const reference of dangling) {
  test(`refused: ${reference} leads nowhere`, () => {
    const text = JSON.stringify({ swagger: '2.0', definitions: { A: { $ref: reference } } });
    const specification = readSpecification(Buffer.from(text));
    assert.throws(() => requireResolvable(specification), {
      message: `${reference} is referred to, but not there`,
    });
  });
}

test('large integers and fields called __proto__ survive', () => {
  const text =
    '{"swagger":"2.0","paths":{},"definitions":{"__proto__":{"maximum":9223372036854775807}}}';
  assert.equal(
    Buffer.from(writeSpecification(readSpecification(Buffer.from(text)))).toString(),
    text,
  );
});
