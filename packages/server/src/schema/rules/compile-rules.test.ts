import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText, root } from '@tributary/apimachinery';
import Type from 'typebox';
import { ruleValidator } from '../../validation/schema-validation.ts';
import { Correlation } from '../correlation.ts';
import { type JsonSchema, schemaData } from '../json-schema.ts';
import { objectSchema, rootSchema } from '../object-schema.ts';
import { rules } from './author-rules.ts';
import { compileRules } from './compile-rules.ts';
import type { RuleAllowance } from './compiled-rules.ts';
import type { ValidationRule } from './validation-rule.ts';

const metadata = { name: 'a' };
const object = (spec: unknown) => ({ apiVersion: 'v1', kind: 'Thing', metadata, spec });

function broken(spec: ReturnType<typeof Type.Object>, value: unknown): readonly string[] {
  return ruleValidator(objectSchema({ spec }, '')).validate(object(value)).map(fieldErrorText);
}

const Node = Type.Cyclic(
  {
    Node: Type.Object({ weight: Type.Integer(), next: Type.Optional(Type.Ref('Node')) }),
  },
  'Node',
);

const authors = [
  {
    name: 'an object',
    spec: rules(Type.Object({ min: Type.Integer(), max: Type.Integer() }), 'self.min <= self.max'),
    value: { min: 2, max: 1 },
    want: ['spec: Invalid value: failed rule: self.min <= self.max'],
  },
  {
    name: 'a field that may be left out',
    spec: Type.Object({ a: Type.Optional(rules(Type.String(), 'self.startsWith("x")')) }),
    value: { a: 'y' },
    want: ['spec.a: Invalid value: "y": failed rule: self.startsWith("x")'],
  },
  {
    name: 'a rule around an optional field',
    spec: Type.Object({ a: rules(Type.Optional(Type.String()), 'self.startsWith("x")') }),
    value: {},
    want: [],
  },
  {
    name: 'literals are texts',
    spec: rules(
      Type.Object({ colour: Type.Union([Type.Literal('red'), Type.Literal('blue')]) }),
      'self.colour == "red"',
    ),
    value: { colour: 'blue' },
    want: ['spec: Invalid value: failed rule: self.colour == "red"'],
  },
  {
    name: 'a number or a text',
    spec: rules(
      Type.Object({ size: Type.Union([Type.Integer(), Type.String()]) }),
      'type(self.size) == int',
    ),
    value: { size: '50%' },
    want: ['spec: Invalid value: failed rule: type(self.size) == int'],
  },
  {
    name: 'a field that may be null',
    spec: rules(
      Type.Object({ note: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
      '!has(self.note) || self.note != ""',
    ),
    value: { note: null },
    want: [],
  },
  {
    name: 'a map',
    spec: Type.Object({
      by: rules(Type.Record(Type.String(), Type.Integer(), { maxProperties: 9 }), {
        rule: 'self.all(k, self[k] > 0)',
        message: 'must be positive',
      }),
    }),
    value: { by: { a: 0 } },
    want: ['spec.by: Invalid value: must be positive'],
  },
  {
    name: 'parts of an intersection',
    spec: rules(
      Type.Intersect([
        Type.Object({ a: Type.Integer() }),
        Type.Object({ b: Type.Integer() }),
      ]) as unknown as ReturnType<typeof Type.Object>,
      'self.a < self.b',
    ),
    value: { a: 2, b: 1 },
    want: ['spec: Invalid value: failed rule: self.a < self.b'],
  },
  {
    name: 'a type that holds itself, as far as it is known',
    spec: rules(Type.Object({ root: Node }), 'self.root.weight > 5'),
    value: { root: { weight: 1, next: { weight: 2 } } },
    want: ['spec: Invalid value: failed rule: self.root.weight > 5'],
  },
];

for (const { name, spec, value, want } of authors) {
  test(`an author's rule: ${name}`, () => assert.deepEqual(broken(spec, value), want));
}

test('a rule that does not compile is an error of the definition', () => {
  const spec = Type.Object({ list: Type.Array(rules(Type.String(), 'self.sise() > 1')) });
  assert.throws(() => objectSchema({ spec }, ''), {
    message:
      /^schema\.properties\[spec\]\.properties\[list\]\.items\.x-kubernetes-validations\[0\]\.rule: .*<input>:1:10: undeclared reference to 'sise'/,
  });
});

test('a rule with an estimated cost above the limit is an error of the definition', () => {
  const spec = rules(
    Type.Object({ list: Type.Array(Type.String()) }),
    'self.list.all(x, self.list.all(y, x == y))',
  );
  assert.throws(
    () => objectSchema({ spec }, ''),
    /estimated rule cost exceeds budget by factor of/,
  );
});

test('rules are part of the published schema', () => {
  const schema = schemaData(rules(Type.Integer(), 'self > 1', { rule: 'self < 9', message: 'm' }));
  assert.deepEqual(schema['x-kubernetes-validations'], [
    { rule: 'self > 1' },
    { rule: 'self < 9', message: 'm' },
  ]);
});

const expensive: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { l: { type: 'array', items: { type: 'integer' }, maxItems: 3000 } },
      'x-kubernetes-validations': [{ rule: 'self.l.all(x, self.l.all(y, x == y))' }],
    },
  },
};

test('the cost limit of a single rule is optional', () => {
  const path = root('spec', 'validation');
  const kinds = (limitsRules: boolean) =>
    compileRules(expensive, { path, limitsRules }).problems.map(({ kind }) => kind);
  assert.deepEqual(kinds(true), ['cost']);
  assert.deepEqual(kinds(false), []);
});

test('rules of a schema with other errors are not compiled', () => {
  const inner = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self > 1' }] };
  const schema = { type: 'object', properties: { a: inner, b: { ...inner } } };
  const { problems } = compileRules(schema, { skips: (one) => one === inner });
  assert.deepEqual(
    problems.map(({ error }) => error.field),
    ['schema.properties[b].x-kubernetes-validations[0].rule'],
  );
});

test('as upstream, rules in allOf are evaluated beside others, without ratcheting', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { n: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'true' }],
        allOf: [{ properties: { n: { 'x-kubernetes-validations': [{ rule: 'self > 5' }] } } }],
      },
    },
  };
  const validate = compileRules(schema).validate;
  assert.deepEqual(validate?.(object({ n: 1 })).map(fieldErrorText), [
    'spec.n: Invalid value: 1: failed rule: self > 5',
  ]);
});

test('a schema without rules has no validate function', () => {
  assert.equal(rootSchema({ type: 'object' }).rules, undefined);
});

describe('rules that are asked as far as it is allowed', () => {
  const enough: RuleAllowance = { cost: 1000, ruleLength: 1000, isOver: () => false };
  const list = { type: 'array', items: { type: 'integer' } };
  const ruledBy = (...rules: readonly ValidationRule[]) =>
    compileRules({
      type: 'object',
      properties: { spec: { ...list, 'x-kubernetes-validations': rules } },
    });
  const positive = {
    rule: 'self.all(x, x > 0)',
    messageExpression: 'string(self.size()) + " are"',
  };
  const many = Array.from({ length: 500 }, () => 1);
  /** An allowance that ends at a given check. */
  const overAt = (look: number) => {
    let looks = 0;
    return () => ++looks > look;
  };
  const cases = [
    { name: 'to the end, and nothing is wrong', spec: [1], want: [] },
    { name: 'to the end', spec: [0], want: ['spec: Invalid value: 1 are'] },
    { name: 'not at all', allowance: { isOver: () => true } },
    { name: 'up to a rule', allowance: { isOver: overAt(2) }, rules: [positive, positive] },
    {
      name: 'up to the last rule',
      allowance: { isOver: overAt(3) },
      rules: [positive, positive],
      want: [],
    },
    { name: 'not through a rule that costs more', spec: many },
    {
      name: 'not through a message that costs more',
      spec: many,
      rules: [{ rule: 'false', messageExpression: 'self.all(x, x > 0) ? "a" : "b"' }],
    },
    { name: 'not for a text that takes long to read', allowance: { ruleLength: 10 } },
    {
      name: 'as far as the budget, where that is what is allowed',
      spec: many,
      allowance: { cost: Number.POSITIVE_INFINITY },
      want: [],
    },
  ];
  for (const { name, spec = [1], allowance = {}, rules = [positive], want } of cases) {
    test(name, () => {
      const found = ruledBy(...rules).validateWithin?.({ ...enough, ...allowance }, { spec });
      assert.deepEqual(found?.map(fieldErrorText), want);
    });
  }

  test('an interrupted evaluation adds no warnings', () => {
    const compiled = ruledBy({ rule: 'self.size() > 5' }, { rule: 'self.all(x, x < 0)' });
    const next = { spec: [1] };
    const warned: string[] = [];
    const node = rootSchema({ type: 'object', properties: { spec: list } }).structure;
    const correlation = new Correlation(next, { spec: [1] }, node);
    const options = { correlation, warn: (text: string) => warned.push(text) };
    const halfway = { ...enough, isOver: overAt(2) };
    assert.equal(compiled.validateWithin?.(halfway, next, { spec: [1] }, options), undefined);
    assert.deepEqual(warned, []);
    assert.deepEqual(compiled.validateWithin?.(enough, next, { spec: [1] }, options), []);
    assert.equal(warned.length, 2);
  });
});

test('work without upstream cost is bounded for all rules of an object together', () => {
  const numbers = { type: 'array', maxItems: 500, items: { type: 'integer' } };
  const item = { ...numbers, 'x-kubernetes-validations': [{ rule: "'%s'.format([self]) != ''" }] };
  const schema = { type: 'object', properties: { lists: { type: 'array', items: item } } };
  const list = Array.from({ length: 400 }, (_, index) => index);
  const broken = (length: number) => {
    const lists = Array.from({ length }, () => list);
    return compileRules(schema).validate?.({ lists })?.map(fieldErrorText) ?? [];
  };
  assert.deepEqual(broken(200), []);
  const [error] = broken(2000);
  assert.match(
    error ?? '',
    /^lists\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
  );
});
