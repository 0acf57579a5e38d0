import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorText, type KubeObject } from '@tributary/apimachinery';
import Type from 'typebox';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import { objectSchema } from '../schema/object-schema.ts';
import { ERRORS_MAX } from '../schema/walk.ts';
import { schemaValidator } from './schema-validation.ts';

/** The errors of an object whose `spec.x` has a schema. */
function errorsOf(schema: object, value: unknown): string[] {
  const spec = Type.Object({ x: Type.Optional(Type.Unsafe<unknown>(schema)) });
  const object = { apiVersion: 'v1', kind: 'Thing', metadata: {}, spec: { x: value } };
  const errors = schemaValidator(objectSchema({ spec }, ''))(object as KubeObject);
  return errors.map(fieldErrorText);
}

/** `spec.x: Invalid value: VALUE: spec.x in body RULE` */
const invalid = (value: string, rule: string): string =>
  `spec.x: Invalid value: ${value}: spec.x in body ${rule}`;
const wrongType = (wanted: string, got: string): string =>
  invalid(`"${got}"`, `must be of type ${wanted}: "${got}"`);
const unplaced = (words: string): string => `<nil>: Invalid value: "": ${words}`;

interface Row {
  readonly schema: object;
  readonly good?: readonly unknown[];
  /** Values and their errors. */
  readonly bad?: readonly (readonly [unknown, ...string[]])[];
}

const variants = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } };
const twoAlternatives = [
  { required: ['a'], properties: { a: { minimum: 5 } } },
  { required: ['b'], properties: { b: { minLength: 3 } } },
];
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
const DNS_LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

const rows: Readonly<Record<string, Row>> = {
  'type string': {
    schema: { type: 'string' },
    good: ['', 'a'],
    bad: [
      [1, wrongType('string', 'integer')],
      [1.5, wrongType('string', 'number')],
      [1e20, wrongType('string', 'number')],
      [2n ** 60n, wrongType('string', 'integer')],
      [true, wrongType('string', 'boolean')],
      [null, wrongType('string', 'null')],
      [[], wrongType('string', 'array')],
      [{}, wrongType('string', 'object')],
    ],
  },
  'type integer': {
    schema: { type: 'integer' },
    good: [1, -1, 2n ** 63n - 1n, -(2n ** 63n)],
    bad: [
      ['1', wrongType('integer', 'string')],
      // Near enough for the type, not for the range.
      [1234567.0001, unplaced('Checked value must be of type integer (default format) in spec.x')],
      [
        1.5,
        wrongType('integer', 'number'),
        unplaced('Checked value must be of type integer (default format) in spec.x'),
      ],
      [
        2 ** 63,
        wrongType('integer', 'number'),
        unplaced('Checked value must be of type integer (default format) in spec.x'),
      ],
    ],
  },
  'type number': {
    schema: { type: 'number' },
    good: [1, 1.5, 1e300, 2n ** 60n],
    bad: [['1', wrongType('number', 'string')]],
  },
  'type boolean': {
    schema: { type: 'boolean' },
    good: [true],
    bad: [
      [0, wrongType('boolean', 'integer')],
      ['true', wrongType('boolean', 'string')],
    ],
  },
  'type null': { schema: { type: 'null' }, good: [null], bad: [[0, wrongType('null', 'integer')]] },
  nullable: {
    schema: { type: 'string', nullable: true },
    good: [null, 'a'],
    bad: [[1, wrongType('string', 'integer')]],
  },
  'int or string': {
    schema: { 'x-kubernetes-int-or-string': true },
    good: [1, 'a', 2n ** 60n],
    bad: [
      [1.5, wrongType('integer,string', 'number')],
      [true, wrongType('integer,string', 'boolean')],
    ],
  },
  'format int32': {
    schema: { type: 'integer', format: 'int32' },
    good: [2 ** 31 - 1, -(2 ** 31)],
    bad: [
      [2 ** 31, unplaced('Checked value must be of type integer with format int32 in spec.x')],
      [2n ** 60n, unplaced('Checked value must be of type integer with format int32 in spec.x')],
      [true, invalid('""', 'must be of type int32: ""')],
      ['1', wrongType('integer', 'string')],
    ],
  },
  'format float': {
    schema: { type: 'number', format: 'float' },
    good: [3.4e38],
    bad: [[3.5e38, unplaced('Checked value must be of type number with format float in spec.x')]],
  },
  'format of a string, other types': {
    schema: { type: 'string', format: 'date-time' },
    bad: [
      [1, invalid('"int64"', 'must be of type date-time: "int64"')],
      [1.5, invalid('"float64"', 'must be of type date-time: "float64"')],
      [true, invalid('""', 'must be of type date-time: ""')],
      // The reference server accepts this, but the schema is also the type that the author's code relies on.
      [[], wrongType('string', 'array')],
      ['x', invalid('"x"', 'must be of type date-time: "x"')],
    ],
  },
  'a format nobody knows': { schema: { type: 'string', format: 'colour' }, good: ['x'] },
  'minLength and maxLength count characters': {
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    good: ['ab', 'äöü', '😀😀', '😀😀😀'],
    bad: [
      ['a', invalid('"a"', 'should be at least 2 chars long')],
      ['😀', invalid('"😀"', 'should be at least 2 chars long')],
      ['abcd', 'spec.x: Too long: may not be more than 3 bytes'],
      ['😀😀😀😀', 'spec.x: Too long: may not be more than 3 bytes'],
    ],
  },
  pattern: {
    schema: { type: 'string', pattern: '^a+$' },
    good: ['aa'],
    bad: [
      ['', invalid('""', "should match '^a+$'")],
      ['a\n', invalid('"a\\n"', "should match '^a+$'")],
    ],
  },
  'of the rules for a text the first counts': {
    schema: { type: 'string', maxLength: 1, pattern: '^a$' },
    bad: [['bb', 'spec.x: Too long: may not be more than 1 byte']],
  },
  'minimum and maximum': {
    schema: { type: 'integer', minimum: 1, maximum: 10 },
    good: [1, 10],
    bad: [
      [0, invalid('0', 'should be greater than or equal to 1')],
      [11, invalid('11', 'should be less than or equal to 10')],
      [2n ** 60n, invalid('1152921504606846976', 'should be less than or equal to 10')],
    ],
  },
  'bounds beyond 2^53': {
    schema: { type: 'integer', maximum: 2 ** 60, exclusiveMinimum: -(2 ** 60) },
    good: [2n ** 60n, -(2n ** 60n) + 1n],
    bad: [
      [
        2n ** 60n + 1n,
        invalid('1152921504606846977', 'should be less than or equal to 1152921504606846976'),
      ],
      [
        -(2n ** 60n),
        invalid('-1152921504606846976', 'should be greater than -1152921504606846976'),
      ],
    ],
  },
  'exclusive bounds of JSON Schema': {
    schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1_000_000 },
    good: [0.1, 999_999],
    bad: [
      [0, invalid('0', 'should be greater than 0')],
      [1_000_000, invalid('1000000', 'should be less than 1000000')],
      [1_234_567.5, invalid('1.2345675e+06', 'should be less than 1e+06')],
    ],
  },
  'exclusive bounds of OpenAPI': {
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true },
    good: [2],
    bad: [[1, invalid('1', 'should be greater than 1')]],
  },
  'a bound that its type cannot hold': {
    schema: { type: 'integer', maximum: 1.5 },
    bad: [
      [1, unplaced('Maximum boundary value must be of type integer (default format) in spec.x')],
    ],
  },
  multipleOf: {
    schema: { type: 'integer', multipleOf: 3 },
    good: [0, -3, 9007199254740993n],
    bad: [
      [4, invalid('4', 'should be a multiple of 3')],
      [9007199254740995n, invalid('9007199254740995', 'should be a multiple of 3')],
    ],
  },
  'multipleOf a fraction': {
    schema: { type: 'number', multipleOf: 0.5 },
    good: [0.5, 2.5],
    bad: [
      [0.75, invalid('0.75', 'should be a multiple of 0.5')],
      // An integer is divided by the whole part of the factor.
      [1, 'spec.x: Invalid value: 0: factor MultipleOf declared for spec.x must be positive: 0'],
    ],
  },
  enum: {
    schema: { type: 'string', enum: ['a', 'b'] },
    good: ['a'],
    bad: [
      ['c', 'spec.x: Unsupported value: "c": supported values: "a", "b"'],
      [
        1,
        wrongType('string', 'integer'),
        'spec.x: Unsupported value: 1: supported values: "a", "b"',
      ],
    ],
  },
  'enum of numbers': {
    schema: { type: 'number', enum: [1, 2.5] },
    good: [1, 2.5, 1.7],
    bad: [[2, 'spec.x: Unsupported value: 2: supported values: "1", "2.5"']],
  },
  'null is no value of an enum': {
    schema: { type: 'string', nullable: true, enum: ['a'] },
    bad: [[null, 'spec.x: Unsupported value: null: supported values: "a"']],
  },
  'minItems and maxItems': {
    schema: { type: 'array', items: {}, minItems: 1, maxItems: 2 },
    good: [[1], [1, 2]],
    bad: [
      [[], invalid('0', 'should have at least 1 items')],
      [[1, 2, 3], 'spec.x: Too many: 3: must have at most 2 items'],
    ],
  },
  uniqueItems: {
    schema: { type: 'array', items: {}, uniqueItems: true },
    good: [
      [1, '1', true, null],
      [{ a: 1 }, { a: 2 }],
    ],
    bad: [
      [[1, 1], invalid('""', "shouldn't contain duplicates")],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        invalid('""', "shouldn't contain duplicates"),
      ],
    ],
  },
  items: {
    schema: { type: 'array', items: { type: 'array', items: { type: 'integer', minimum: 0 } } },
    good: [[[1], []]],
    bad: [
      [
        [[1, -1], 2],
        'spec.x[0][1]: Invalid value: -1: spec.x[0][1] in body should be greater than or equal to 0',
        'spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type array: "integer"',
      ],
    ],
  },
  tuple: {
    schema: Type.Tuple([Type.String(), Type.Integer()]),
    good: [['a', 1]],
    bad: [
      [['a'], invalid('1', 'should have at least 2 items')],
      [['a', 1, 2], unplaced("array doesn't allow for additional items")],
      [
        ['a', 'b'],
        'spec.x[1]: Invalid value: "string": spec.x[1] in body must be of type integer: "string"',
      ],
    ],
  },
  'required, in the order of the schema': {
    schema: Type.Object({ b: Type.String(), a: Type.Integer(), c: Type.Optional(Type.Any()) }),
    good: [{ a: 1, b: '' }],
    bad: [
      [{}, 'spec.x.b: Required value', 'spec.x.a: Required value'],
      [
        { a: 'x' },
        'spec.x.a: Invalid value: "string": spec.x.a in body must be of type integer: "string"',
        'spec.x.b: Required value',
      ],
    ],
  },
  'minProperties and maxProperties': {
    schema: { type: 'object', additionalProperties: {}, minProperties: 1, maxProperties: 1 },
    good: [{ a: 1 }],
    bad: [
      [{}, invalid('0', 'should have at least 1 properties')],
      [{ a: 1, b: 2 }, 'spec.x: Too many: 2: must have at most 1 item'],
    ],
  },
  'keys of a map look like fields': {
    schema: Type.Record(Type.String(), Type.String({ maxLength: 1 })),
    good: [{ a: 'b' }],
    bad: [
      [{ 'a/b.c': 'xx' }, 'spec.x.a/b.c: Too long: may not be more than 1 byte'],
      [JSON.parse('{"__proto__":"xx"}'), 'spec.x.__proto__: Too long: may not be more than 1 byte'],
    ],
  },
  'no further properties': {
    schema: { type: 'object', properties: { a: {} }, additionalProperties: false },
    good: [{ a: 1 }],
    bad: [[{ b: 1 }, 'spec.x: Invalid value: "b": spec.x.b in body is a forbidden property']],
  },
  anyOf: {
    schema: { ...variants, anyOf: twoAlternatives },
    good: [{ a: 5 }, { b: 'abc' }],
    bad: [
      [
        {},
        unplaced('"spec.x" must validate at least one schema (anyOf)'),
        'spec.x.a: Required value',
      ],
      // The alternative with more passed checks explains.
      [
        { b: 'a' },
        unplaced('"spec.x" must validate at least one schema (anyOf)'),
        'spec.x.b: Invalid value: "a": spec.x.b in body should be at least 3 chars long',
      ],
    ],
  },
  oneOf: {
    schema: { ...variants, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    good: [{ a: 1 }, { b: 'x' }],
    bad: [
      [
        { a: 1, b: 'x' },
        unplaced(
          '"spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
        ),
      ],
      [
        {},
        unplaced('"spec.x" must validate one and only one schema (oneOf). Found none valid'),
        'spec.x.a: Required value',
      ],
    ],
  },
  allOf: {
    schema: { ...variants, allOf: [{ required: ['a'] }, { properties: { b: { maxLength: 2 } } }] },
    good: [{ a: 1 }],
    bad: [
      [{}, 'spec.x.a: Required value', unplaced('"spec.x" must validate all the schemas (allOf)')],
      [
        { b: 'abc' },
        'spec.x.a: Required value',
        'spec.x.b: Too long: may not be more than 2 bytes',
        unplaced('"spec.x" must validate all the schemas (allOf). None validated'),
      ],
    ],
  },
  not: {
    schema: { ...variants, not: { required: ['a', 'b'] } },
    good: [{ a: 1 }],
    bad: [[{ a: 1, b: '' }, unplaced('"spec.x" must not validate the schema (not)')]],
  },
  'the same error twice is one': {
    schema: { type: 'string', maxLength: 1, allOf: [{ maxLength: 1 }, { minLength: 0 }] },
    bad: [
      [
        'ab',
        'spec.x: Too long: may not be more than 1 byte',
        unplaced('"spec.x" must validate all the schemas (allOf)'),
      ],
    ],
  },
  'a list that is a set': {
    schema: { type: 'array', items: {}, 'x-kubernetes-list-type': 'set' },
    good: [
      ['a', 'b'],
      [1, '1'],
    ],
    bad: [
      [
        ['a', 'a', 'a', 'b', 'b'],
        'spec.x[1]: Duplicate value: "a"',
        'spec.x[4]: Duplicate value: "b"',
      ],
      [[{ a: 1 }, { a: 1 }], 'spec.x[1]: Duplicate value: {"a":1}'],
      [[null, null], 'spec.x[1]: Duplicate value: null'],
      [[2n ** 60n, 2n ** 60n], 'spec.x[1]: Duplicate value: 1152921504606846976'],
    ],
  },
  'a list that is a map': {
    schema: {
      type: 'array',
      items: { type: 'object', additionalProperties: {} },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    good: [[{ port: 1, protocol: 'a' }, { port: 1 }]],
    bad: [
      [
        [
          { port: 1, x: 1 },
          { port: 1, x: 2 },
        ],
        'spec.x[1]: Duplicate value: {"port":1}',
      ],
      [[{}, {}], 'spec.x[1]: Duplicate value: {}'],
      [
        [1],
        'spec.x[0]: Invalid value: "integer": spec.x[0] in body must be of type object: "integer"',
        'spec.x[0]: Invalid value: 1: must be an object for an array of list-type map',
      ],
    ],
  },
  'sets below maps': {
    schema: Type.Record(
      Type.String(),
      Type.Array(Type.Integer(), { 'x-kubernetes-list-type': 'set' }),
    ),
    bad: [[{ k: [1, 1] }, 'spec.x[k][1]: Duplicate value: 1']],
  },
  'an embedded resource': {
    schema: embedded,
    good: [
      { apiVersion: 'v1', kind: 'Pod' },
      { apiVersion: 'apps/v1', kind: 'A', metadata: {} },
    ],
    bad: [
      [{}, 'spec.x.apiVersion: Required value', 'spec.x.kind: Required value'],
      [
        { apiVersion: 'a/b/c', kind: 'no kind' },
        'spec.x.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        `spec.x.kind: Invalid value: "no kind": may have mixed case, but should otherwise match: ${DNS_LABEL}`,
      ],
      [
        { apiVersion: '', kind: 1 },
        'spec.x.apiVersion: Invalid value: "": must not be empty',
        'spec.x.kind: Invalid value: 1: must be a string',
      ],
      [
        { apiVersion: 'v1', kind: 'A', metadata: { name: 'a/b' } },
        'spec.x.metadata.name: Invalid value: "a/b": may not contain \'/\'',
      ],
    ],
  },
};

for (const [name, { schema, good = [], bad = [] }] of Object.entries(rows)) {
  for (const value of good) {
    test(`${name}: ${print(value)} is valid`, () => assert.deepEqual(errorsOf(schema, value), []));
  }
  for (const [value, ...errors] of bad) {
    test(`${name}: ${print(value)} is invalid`, () =>
      assert.deepEqual(errorsOf(schema, value), errors));
  }
}

function print(value: unknown): string {
  return JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? String(one) : one));
}

test('top-level fields are optional, and fields without a schema are not validated', () => {
  const validate = schemaValidator(objectSchema({ spec: Type.Object({ a: Type.String() }) }, ''));
  assert.deepEqual(validate({ apiVersion: 'v1', kind: 'A', metadata: {} }), []);
});

test('a wrong type at the top level is invalid', () => {
  const validate = schemaValidator(objectSchema({ spec: Type.Object({}) }, ''));
  const object = { apiVersion: 'v1', kind: 'A', metadata: {}, spec: 1 };
  assert.deepEqual(validate(object as KubeObject).map(fieldErrorText), [
    'spec: Invalid value: "integer": spec in body must be of type object: "integer"',
  ]);
});

test('a long list of errors is cut', () => {
  const schema = { type: 'array', items: { type: 'string', anyOf: [{ minLength: 2 }] } };
  const errors = errorsOf(schema, Array(10_000).fill(1));
  assert.equal(errors.length, ERRORS_MAX);
});

test('errors beyond the bound still make an alternative fail', () => {
  const bad = { type: 'array', items: { type: 'string' } };
  const list = Array(500).fill(1);
  const schema = { type: 'array', items: { type: 'integer' } };
  const errors = errorsOf(
    { type: 'object', properties: { a: schema, b: schema } },
    {
      a: Array(500).fill('x'),
      b: list,
    },
  );
  assert.equal(errors.length, ERRORS_MAX);
  const alternatives = errorsOf({ ...schema, anyOf: [bad] }, list);
  assert.equal(alternatives[0], unplaced('"spec.x" must validate at least one schema (anyOf)'));
});

test('a schema may refer to itself', () => {
  const tree = Type.Cyclic(
    {
      Tree: Type.Object({
        size: Type.Integer(),
        inner: Type.Optional(Type.Array(Type.Ref('Tree'))),
      }),
    },
    'Tree',
  );
  assert.deepEqual(errorsOf(tree, { size: 1, inner: [{ size: 2, inner: [{ size: 'x' }] }] }), [
    'spec.x.inner[0].inner[0].size: Invalid value: "string": spec.x.inner[0].inner[0].size in body must be of type integer: "string"',
  ]);
});

test('errors truncate long texts and long keys', () => {
  const [error = ''] = errorsOf({ type: 'string', pattern: '^b' }, 'a'.repeat(1_000_000));
  assert.ok(error.length < 11_000);
  const schema = Type.Record(Type.String(), Type.Array(Type.Integer()));
  const errors = errorsOf(schema, { ['k'.repeat(1_000_000)]: Array(500).fill('x') });
  assert.equal(errors.length, 1);
});

/** A body of 3 MiB holds no more; the time to validate each must be linear in its size. */
const large: readonly { name: string; schema: object; value: () => unknown }[] = [
  {
    name: 'a set of numbers',
    schema: {
      type: 'array',
      items: { type: 'integer' },
      uniqueItems: true,
      'x-kubernetes-list-type': 'set',
    },
    value: () => Array.from({ length: 400_000 }, (_, index) => index),
  },
  {
    name: 'a set of objects',
    schema: { type: 'array', items: { type: 'object' }, uniqueItems: true },
    value: () => Array.from({ length: 100_000 }, (_, index) => ({ a: index })),
  },
  {
    name: 'mistakes only',
    schema: { type: 'array', items: { type: 'integer', minimum: 1 } },
    value: () => Array(400_000).fill('a'),
  },
  ...[
    'byte',
    'duration',
    'email',
    'hostname',
    'uri',
    'mac',
    'ipv4',
    'cidr',
    'date-time',
    'isbn',
  ].map((format) => ({
    name: `a long text as ${format}`,
    schema: { type: 'string', format },
    value: () => '1a-'.repeat(1_000_000),
  })),
  ...['1', 'a', ' ', '"', '=', '%', '.', 'a.', 'a b ', '1 '].map((piece) => ({
    name: `a text of ${JSON.stringify(piece)} in every format`,
    schema: {
      type: 'string',
      allOf: ['byte', 'duration', 'email', 'hostname', 'uri', 'cidr', 'rgbcolor', 'creditcard'].map(
        (format) => ({ format }),
      ),
    },
    value: () => piece.repeat(3_000_000 / piece.length),
  })),
];

for (const { name, schema, value } of large) {
  test(`validation takes bounded time: ${name}`, () => {
    const given = value();
    const cpuMs = cpuMsOf(() => void errorsOf(schema, given));
    // About 350 ms at most; a quadratic algorithm takes minutes.
    assert.ok(cpuMs < 5000, `${cpuMs} ms`);
  });
}
