/** Schemas and custom resources: pruning, defaults, validation, rules. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup, Step } from '../../differential/row.ts';
import {
  apply,
  customRow,
  defined,
  get,
  given,
  patch,
  post,
  put,
  redefine,
  thing,
  things,
} from './custom-resources-words.ts';

const SCHEMA = '/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties';

/** Rows in which objects are created one after another, each with a `spec` of its own. */
function creates(
  name: string,
  schema: JsonObject,
  specs: Readonly<Record<string, JsonObject>>,
): Row {
  return customRow(
    name,
    ...defined({ specSchema: schema }),
    ...Object.entries(specs).map(
      ([one, spec]): Step => post({}, { name: one, body: thing({ spec }, one) }),
    ),
  );
}

/** Errors of several fields have no order upstream: each is asked for by an object of its own. */
function apart(prefix: string, values: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${prefix}-${name.toLowerCase()}`,
      { [name]: value },
    ]),
  );
}

const UNKNOWN = { spec: { size: 1, other: { deep: true } }, extra: 'x' };
const validated = (fieldValidation: string) => ({ query: { fieldValidation } });

const pruning: Row[] = [
  customRow('pruning: of unknown fields', ...defined(), post(UNKNOWN), get()),
  customRow('pruning: said strictly', ...defined(), post(UNKNOWN, validated('Strict'))),
  customRow('pruning: said in a warning', ...defined(), post(UNKNOWN, validated('Warn'))),
  customRow('pruning: not said', ...defined(), post(UNKNOWN, validated('Ignore'))),
  customRow('pruning: with a wrong way to say it', ...defined(), post(UNKNOWN, validated('Loud'))),
  customRow(
    'pruning: of keys that come twice',
    ...defined(),
    ...['Strict', 'Warn', 'Ignore'].map(
      (how): Step =>
        post(
          {},
          {
            name: how.toLowerCase(),
            ...validated(how),
            headers: { 'content-type': 'application/json' },
            body: `{"apiVersion":"{ns}.example.com/v1","kind":"Thing","metadata":{"name":"${how.toLowerCase()}"},"spec":{"size":1,"size":2,"color":"a","color":"b"}}`,
          },
        ),
    ),
  ),
  customRow(
    'pruning: of unknown metadata',
    ...defined(),
    post({ metadata: { other: 'x', labels: { a: 'b' } } }),
    post({ metadata: { other: 'x' } }, { name: 'strict', ...validated('Strict') }),
  ),
  customRow(
    'pruning: by update and patch',
    ...defined(),
    given({ spec: { size: 1 } }),
    put(UNKNOWN),
    put(UNKNOWN, { name: 'strict', ...validated('Strict') }),
    patch('merge', UNKNOWN),
    patch('merge', UNKNOWN, { name: 'strict-patch', ...validated('Strict') }),
  ),
  creates(
    'pruning: not where unknown fields are kept',
    {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        known: { type: 'object', properties: { a: { type: 'string' } } },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        closed: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { a: { type: 'string' } } },
        },
      },
    },
    {
      all: {
        x: 1,
        known: { a: 'b', y: 2 },
        open: { z: [{ q: 1 }] },
        closed: { k: { a: 'c', w: 3 } },
      },
    },
  ),
  customRow(
    'pruning: not at all',
    ...defined({
      schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }),
    post(UNKNOWN),
    apply({ spec: { list: [{ a: 1 }] } }),
  ),
  customRow(
    'pruning: preserved by a schema without one',
    ...defined({
      specSchema: { 'x-kubernetes-preserve-unknown-fields': true },
    }),
    post({ spec: [1, 'two', { three: 3 }] }),
    post({ spec: 'text' }, { name: 'text', body: thing({ spec: 'text' }, 'text') }),
  ),
  creates(
    'pruning: in lists',
    {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
      },
    },
    { inside: { list: [{ a: 1, b: 2 }, { c: 3 }] } },
  ),
  creates(
    'pruning: embedded resources',
    {
      type: 'object',
      properties: {
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { x: { type: 'integer' } } } },
        },
        anything: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
      },
    },
    {
      good: {
        template: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'x', labels: { a: 'b' }, unknown: 1 },
          spec: { x: 1, y: 2 },
          z: 3,
        },
        anything: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'y' }, spec: { y: 2 } },
      },
      untyped: { template: { metadata: { name: 'x' } } },
      misnamed: {
        template: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'Bad Name', labels: { 'a b': 'c' } },
        },
      },
      wrong: { template: { apiVersion: 'a/b/c', kind: 'po d', metadata: { labels: 'x' } } },
    },
  ),
];

const DEFAULTED: JsonObject = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 5 },
    mode: { type: 'string', default: 'Auto', nullable: true },
    on: { type: 'boolean', default: false },
    rate: { type: 'number', default: 1.5 },
    nested: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'x' } } },
    absent: { type: 'object', properties: { b: { type: 'string', default: 'y' } } },
    list: {
      type: 'array',
      items: { type: 'object', properties: { port: { type: 'integer', default: 80 } } },
    },
    map: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { c: { type: 'string', default: 'z' } } },
    },
  },
};

const defaulting: Row[] = [
  creates('defaults: of a new object', DEFAULTED, {
    empty: {},
    some: { size: 1, absent: {}, list: [{}, { port: 1 }], map: { k: {} } },
  }),
  creates('defaults: in place of null', DEFAULTED, {
    nulls: { size: null, mode: null, on: null, nested: { a: null }, list: [{ port: null }] },
    'null-list': { list: null },
  }),
  customRow(
    'defaults: of an object without a spec',
    ...defined({ specSchema: { ...DEFAULTED, default: {} } }),
    post({}),
  ),
  customRow(
    'defaults: at an update and a patch',
    ...defined({ specSchema: DEFAULTED }),
    given({ spec: { size: 1 } }),
    put({ spec: { nested: {} } }),
    patch('merge', { spec: { mode: null, size: null } }),
  ),
  customRow(
    'defaults: that came later',
    ...defined(),
    given({ spec: { size: 1 } }),
    redefine([{ op: 'add', path: `${SCHEMA}/late`, value: { type: 'string', default: 'now' } }]),
    get({ until: '"late"' }),
    { name: 'list', path: things() },
    { name: 'watch', watch: { path: things(), query: { watch: '1' } }, events: 1 },
    get({
      name: 'table',
      headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
    }),
  ),
  customRow(
    'defaults: and who owns them',
    ...defined({ specSchema: DEFAULTED }),
    apply({ spec: { color: 'red' } }),
    apply({ spec: { size: 9 } }, { name: 'again' }),
  ),
];

const FORMATS = [
  'date',
  'date-time',
  'duration',
  'email',
  'ipv4',
  'ipv6',
  'uuid',
  'byte',
  'hostname',
  'uri',
  'cidr',
  'mac',
  'password',
  'unknown-one',
  'k8s-short-name',
];

const values: Row[] = [
  creates(
    'validation: types',
    {
      type: 'object',
      properties: {
        text: { type: 'string' },
        whole: { type: 'integer' },
        number: { type: 'number' },
        flag: { type: 'boolean' },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    },
    {
      good: { text: 'a', whole: 1, number: 1.5, flag: true, list: ['x'], map: { k: 1 } },
      ...apart('bad', {
        text: 1,
        whole: 1.5,
        number: 'x',
        flag: 'yes',
        list: [1],
        map: { k: 'v' },
      }),
      ...apart('shape', { text: {}, whole: [], list: {}, map: [] }),
      ...apart('null', { list: [null], map: { k: null } }),
      round: { whole: 2.0, number: 3 },
    },
  ),
  creates(
    'validation: ranges and lengths',
    {
      type: 'object',
      properties: {
        min: { type: 'integer', minimum: 2, maximum: 5 },
        above: {
          type: 'number',
          minimum: 2,
          exclusiveMinimum: true,
          maximum: 3,
          exclusiveMaximum: true,
        },
        step: { type: 'integer', multipleOf: 3 },
        text: { type: 'string', minLength: 2, maxLength: 3 },
        list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string' } },
        map: {
          type: 'object',
          minProperties: 1,
          maxProperties: 1,
          additionalProperties: { type: 'string' },
        },
        pattern: { type: 'string', pattern: '^[a-z]+$' },
        choice: { type: 'string', enum: ['a', 'b'] },
        number: { type: 'integer', enum: [1, 2] },
      },
    },
    {
      ...apart('low', { min: 1, above: 2, step: 4, text: 'a', list: [], map: {} }),
      ...apart('high', {
        min: 6,
        above: 3,
        text: 'abcd',
        list: ['1', '2', '3'],
        map: { a: '', b: '' },
      }),
      ...apart('other', { pattern: 'A', choice: 'c', number: 3 }),
      right: {
        min: 2,
        above: 2.5,
        step: 6,
        text: 'äöü',
        list: ['x'],
        map: { a: '' },
        pattern: 'z',
        choice: 'b',
        number: 2,
      },
    },
  ),
  creates(
    'validation: formats',
    {
      type: 'object',
      properties: Object.fromEntries(FORMATS.map((format) => [format, { type: 'string', format }])),
    },
    apart('bad', Object.fromEntries(FORMATS.map((format) => [format, '!! not one']))),
  ),
  creates(
    'validation: whole numbers of a width',
    {
      type: 'object',
      properties: {
        small: { type: 'integer', format: 'int32' },
        large: { type: 'integer', format: 'int64' },
        float: { type: 'number', format: 'float' },
      },
    },
    apart('big', { small: 3_000_000_000, large: 9_007_199_254_740_991, float: 1e300 }),
  ),
  creates(
    'validation: what is required',
    {
      type: 'object',
      required: ['a', 'inner'],
      properties: {
        a: { type: 'string' },
        inner: { type: 'object', required: ['b'], properties: { b: { type: 'string' } } },
      },
    },
    { none: {}, inner: { a: 'x', inner: {} }, nulls: { a: null, inner: { b: null } } },
  ),
  customRow(
    'validation: a spec that is required',
    ...defined({
      schema: {
        type: 'object',
        required: ['spec'],
        properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    }),
    post({}),
    post({ spec: null }, { name: 'null' }),
  ),
  creates(
    'validation: nullable',
    {
      type: 'object',
      properties: {
        may: { type: 'string', nullable: true },
        not: { type: 'string' },
        list: { type: 'array', nullable: true, items: { type: 'string', nullable: true } },
        object: { type: 'object', nullable: true, properties: { a: { type: 'string' } } },
      },
    },
    { nulls: { may: null, list: [null], object: null }, refused: { not: null } },
  ),
  creates(
    'validation: a number or a text',
    {
      type: 'object',
      properties: {
        port: { 'x-kubernetes-int-or-string': true },
        bounded: {
          'x-kubernetes-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
          pattern: '^[0-9]+%$',
        },
      },
    },
    {
      number: { port: 1, bounded: 5 },
      text: { port: 'http', bounded: '5%' },
      ...apart('bad', { port: true, bounded: '5' }),
      float: { port: 1.5 },
    },
  ),
  creates(
    'validation: lists that are sets and maps',
    {
      type: 'object',
      properties: {
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'port'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              port: { type: 'integer', default: 80 },
              v: { type: 'string' },
            },
          },
        },
        atomic: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
      },
    },
    {
      unique: { set: ['a', 'b'], map: [{ name: 'a' }, { name: 'a', port: 1 }], atomic: ['x', 'x'] },
      // One at a time: the original tells of two in any order.
      'twice-in-set': { set: ['a', 'b', 'a', 'a'] },
      'twice-in-map': { map: [{ name: 'a' }, { name: 'a', port: 80, v: 'x' }] },
    },
  ),
  customRow(
    'validation: merging lists by their type',
    ...defined({
      specSchema: {
        type: 'object',
        properties: {
          set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
          map: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              required: ['name'],
              properties: { name: { type: 'string' }, v: { type: 'string' } },
            },
          },
          whole: {
            type: 'object',
            'x-kubernetes-map-type': 'atomic',
            additionalProperties: { type: 'string' },
          },
        },
      },
    }),
    apply({ spec: { set: ['a'], map: [{ name: 'a', v: '1' }], whole: { a: '1' } } }),
    apply(
      { spec: { set: ['b'], map: [{ name: 'b', v: '2' }] } },
      { name: 'other', query: { fieldManager: 'other' } },
    ),
    apply({ spec: { whole: { b: '2' } } }, { name: 'atomic', query: { fieldManager: 'other' } }),
  ),
  creates(
    'validation: alternatives',
    {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      anyOf: [
        { properties: { a: { minimum: 3 } } },
        { properties: { b: { pattern: '^x' } }, required: ['b'] },
      ],
      not: { properties: { b: { enum: ['xno'] } }, required: ['b'] },
      allOf: [{ properties: { a: { maximum: 9 } } }],
    },
    { none: {}, both: { a: 1, b: 'y' }, one: { a: 4 }, not: { b: 'xno' }, all: { a: 10 } },
  ),
  customRow(
    'validation: of names',
    ...defined({
      schema: {
        type: 'object',
        properties: {
          metadata: {
            type: 'object',
            properties: { name: { type: 'string', pattern: '^[a-z]$', maxLength: 1 } },
          },
          spec: { type: 'object' },
        },
      },
    }),
    post({}),
    post({}, { name: 'long', body: thing({}, 'long') }),
  ),
  customRow(
    'validation: of what was wrong before',
    ...defined(),
    given({ spec: { size: 1, color: 'Red' } }),
    redefine([{ op: 'add', path: `${SCHEMA}/color/pattern`, value: '^[a-z]+$' }]),
    post({}, { name: 'refused', body: thing({ spec: { color: 'Blue' } }, 'b'), until: 422 }),
    patch('merge', { spec: { size: 2 } }),
    patch('merge', { spec: { color: 'Green' } }, { name: 'changed' }),
  ),
  customRow(
    'validation: of metadata',
    ...defined(),
    post({
      metadata: {
        labels: { 'a b': 'c d' },
        annotations: { 'x y': '' },
        finalizers: ['no slash'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: '' }],
      },
    }),
  ),
];

const RULED: JsonObject = {
  type: 'object',
  'x-kubernetes-validations': [
    { rule: 'self.min <= self.max', message: 'min must not be above max' },
    {
      rule: "!has(self.mode) || self.mode in ['a', 'b']",
      messageExpression: "'mode is ' + self.mode",
      reason: 'FieldValueForbidden',
      fieldPath: '.mode',
    },
  ],
  properties: {
    min: { type: 'integer', default: 0 },
    max: { type: 'integer', default: 10, 'x-kubernetes-validations': [{ rule: 'self < 100' }] },
    mode: { type: 'string' },
    fixed: {
      type: 'string',
      'x-kubernetes-validations': [
        { rule: 'self == oldSelf', message: 'fixed cannot change', reason: 'FieldValueInvalid' },
      ],
    },
    once: {
      type: 'string',
      'x-kubernetes-validations': [
        {
          rule: 'oldSelf.hasValue() ? self == oldSelf.value() : self != "never"',
          optionalOldSelf: true,
        },
      ],
    },
    items: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'object',
        properties: { n: { type: 'integer' } },
        'x-kubernetes-validations': [
          { rule: 'self.n > 0', message: 'n must be positive', reason: 'FieldValueRequired' },
        ],
      },
    },
  },
};

const rules: Row[] = [
  creates('rules: at a create', RULED, {
    good: { min: 1, max: 2, mode: 'a', items: [{ n: 1 }] },
    // Rules of several fields have no order upstream: each field is asked for by an object of its own.
    ...apart('bad', { max: 200, mode: 'z', once: 'never' }),
    bad: { min: 300, max: 200 },
    few: { min: 30, mode: 'q', items: [{ n: 1 }, { n: 0 }] },
    absent: { items: [{}] },
  }),
  customRow(
    'rules: at an update',
    ...defined({ specSchema: RULED }),
    given({ spec: { fixed: 'a', once: 'x' } }),
    patch('merge', { spec: { fixed: 'b' } }),
    patch('merge', { spec: { once: 'y' } }, { name: 'once' }),
    patch('merge', { spec: { fixed: null } }, { name: 'gone' }),
    put(
      { spec: { fixed: 'c', min: 50 } },
      {
        name: 'put',
        body: thing({ spec: { fixed: 'c', min: 50 }, metadata: { resourceVersion: '{rv:gone}' } }),
      },
    ),
  ),
  creates(
    'rules: after errors of the schema',
    {
      ...RULED,
      required: ['needed'],
    },
    { missing: { min: 3, max: 1 }, typed: { min: 'x', max: 200, needed: 1 } },
  ),
  customRow(
    'rules: that came later',
    ...defined(),
    given({ spec: { size: 100 } }),
    redefine([
      {
        op: 'add',
        path: `${SCHEMA}/size/x-kubernetes-validations`,
        value: [{ rule: 'self < 10' }],
      },
    ]),
    post({}, { name: 'refused', body: thing({ spec: { size: 11 } }, 'b'), until: 422 }),
    patch('merge', { spec: { color: 'x' } }),
    patch('merge', { spec: { size: 99 } }, { name: 'changed' }),
  ),
  customRow(
    'rules: of the whole object',
    ...defined({
      schema: {
        type: 'object',
        'x-kubernetes-validations': [
          { rule: "self.metadata.name.startsWith('t-')", message: 'names begin with t-' },
        ],
        properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    }),
    post({}),
    post({}, { name: 'named', body: thing({}, 't-1') }),
  ),
  customRow(
    'rules: of a status',
    ...defined({
      schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { a: { type: 'string' } } },
          status: {
            type: 'object',
            properties: { n: { type: 'integer' } },
            'x-kubernetes-validations': [{ rule: 'self.n >= 0' }],
          },
        },
      },
      version: { subresources: { status: {} } },
    }),
    given({}),
    patch('merge', { status: { n: -1 } }, { path: `${things()}/a/status` }),
  ),
];

export const customSchemas: RowGroup = {
  name: 'custom-resources-schemas',
  rows: [...pruning, ...defaulting, ...values, ...rules],
};
