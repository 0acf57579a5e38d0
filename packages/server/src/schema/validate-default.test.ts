import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, root } from '@tributary/apimachinery';
import type { JsonSchema } from './json-schema.ts';
import { validateSchemaDefaults } from './validate-default.ts';

const errorsOf = (schema: JsonSchema, requirePruned = true) =>
  validateSchemaDefaults(schema, { path: root('schema'), requirePruned: () => requirePruned }).map(
    fieldErrorText,
  );
const withField = (x: JsonSchema): JsonSchema => ({ type: 'object', properties: { x } });
const text = { type: 'string' };
const EMBEDDED = { 'x-kubernetes-embedded-resource': true };

describe('defaults are what their schemas accept', () => {
  const cases: { name: string; schema: JsonSchema; errors: readonly string[] }[] = [
    { name: 'nothing', schema: withField({ type: 'string' }), errors: [] },
    { name: 'null is none', schema: withField({ type: 'string', default: null }), errors: [] },
    {
      name: 'one within one, each for itself',
      schema: withField({
        type: 'object',
        default: {},
        properties: { y: { type: 'integer', default: 'a', maximum: 1 } },
      }),
      errors: [
        'schema.properties[x].properties[y].default: Invalid value: "string":  in body must be of type integer: "string"',
      ],
    },
    {
      name: 'in a list',
      schema: withField({ type: 'array', items: { type: 'string', default: 'abc', maxLength: 2 } }),
      errors: ['schema.properties[x].items.default: Too long: may not be more than 2 bytes'],
    },
    {
      name: 'an element of a list',
      schema: withField({ type: 'array', items: text, default: ['a', 1] }),
      errors: [
        'schema.properties[x].default[1]: Invalid value: "integer": [1] in body must be of type string: "integer"',
      ],
    },
    {
      name: 'what would be pruned is told beside what is wrong',
      schema: withField({ type: 'object', properties: { a: text }, default: { a: 1, b: 2 } }),
      errors: [
        'schema.properties[x].default: Invalid value: {"a":1,"b":2}: must not have unknown fields',
        'schema.properties[x].default.a: Invalid value: "integer": a in body must be of type string: "integer"',
      ],
    },
    {
      name: 'an object without a type',
      schema: withField({
        type: 'object',
        ...EMBEDDED,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { spec: 1 },
      }),
      errors: [
        'schema.properties[x].default.apiVersion: Required value',
        'schema.properties[x].default.kind: Required value',
      ],
    },
    {
      name: 'the name of an object within',
      schema: withField({
        type: 'object',
        ...EMBEDDED,
        properties: {
          metadata: { type: 'object', properties: { name: { type: 'string', default: 'a/b' } } },
        },
      }),
      errors: [
        'schema.properties[x].properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain \'/\'',
      ],
    },
    {
      name: 'a rule',
      schema: withField({
        type: 'object',
        properties: { a: { type: 'integer' } },
        default: { a: 5 },
        'x-kubernetes-validations': [{ rule: 'self.a < 3', message: 'too many' }],
      }),
      errors: ['schema.properties[x].default: Invalid value: too many'],
    },
    {
      name: 'a rule that asks what was before, of what is new',
      schema: withField({
        type: 'integer',
        default: 5,
        'x-kubernetes-validations': [
          { rule: 'oldSelf.hasValue() || self < 3', optionalOldSelf: true, message: 'new' },
        ],
      }),
      errors: ['schema.properties[x].default: Invalid value: 5: new'],
    },
  ];
  for (const { name, schema, errors } of cases) {
    test(name, () => assert.deepEqual(errorsOf(schema), errors));
  }

  test('unknown fields in defaults are accepted where pruning is not required', () => {
    const schema = withField({ type: 'object', properties: { a: text }, default: { b: 2 } });
    assert.equal(errorsOf(schema).length, 1);
    assert.deepEqual(errorsOf(schema, false), []);
  });

  test('defaults of an invalid schema are not validated', () => {
    assert.deepEqual(errorsOf(withField({ type: 'text', default: 1 })), []);
  });
});

test('rules are compiled for defaults up to a bound', () => {
  const refuses = {
    type: 'integer',
    default: 5,
    'x-kubernetes-validations': [{ rule: 'self < 3' }],
  };
  const many = Array.from({ length: 520 }, (_, at) => [`f${at}`, refuses] as const);
  // The bound on errors applies first; valid defaults are all evaluated until the bound on rules.
  assert.equal(errorsOf({ type: 'object', properties: Object.fromEntries(many) }).length, 100);
  const fine = { ...refuses, default: 1 };
  const later = [
    ...many.slice(0, 500).map(([name]) => [name, fine] as const),
    ['z', refuses] as const,
  ];
  assert.deepEqual(errorsOf({ type: 'object', properties: Object.fromEntries(later) }), []);
});
