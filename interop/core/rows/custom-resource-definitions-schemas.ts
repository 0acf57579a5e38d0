/** Schemas of CustomResourceDefinitions: one row for each rule of the original. */
import type { Json, JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { CustomResourceDefinition } from '../kinds.ts';
import { creates, get, object, post, row } from './words.ts';

const K = CustomResourceDefinition;
const STRING: JsonObject = { type: 'string' };
const INTEGER: JsonObject = { type: 'integer' };
const OBJECT: JsonObject = { type: 'object' };
const PRESERVE = 'x-kubernetes-preserve-unknown-fields';
const EMBEDDED = 'x-kubernetes-embedded-resource';
const INT_OR_STRING = 'x-kubernetes-int-or-string';
const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';
const MAP_TYPE = 'x-kubernetes-map-type';
const RULES = 'x-kubernetes-validations';

export const version = (more: JsonObject = {}): JsonObject => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...more,
});

/** A definition whose only version has this schema. */
export const ofRoot = (openAPIV3Schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  spec: { versions: [version({ schema: { openAPIV3Schema }, ...more })] },
});
/** The same of a schema that is an object with this field. */
export const ofField = (field: JsonObject, more: JsonObject = {}): JsonObject =>
  ofRoot(
    { type: 'object', properties: { spec: { type: 'object', properties: { x: field } } } },
    more,
  );
const list = (items: Json, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  ...more,
});
const struct = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const rule = (text: string, more: JsonObject = {}): JsonObject => ({ rule: text, ...more });
const WITH_STATUS: JsonObject = { subresources: { status: {} } };

/** By the kind of mistake, or by what is accepted. */
const cases: Readonly<Record<string, JsonObject>> = {
  // Keywords of OpenAPI v3 that CustomResourceDefinitions do not have.
  'without a schema': { spec: { versions: [version({ schema: null })] } },
  'with a schema of nothing': { spec: { versions: [version({ schema: {} })] } },
  'with an empty schema': ofRoot({}),
  'with a root that is a list': ofRoot(list(STRING)),
  'with a root that may be null': ofRoot({ type: 'object', nullable: true }),
  'with a root of any fields': ofRoot({ type: 'object', additionalProperties: STRING }),
  'with an unknown type': ofField({ type: 'text' }),
  'with the type null': ofField({ type: 'null' }),
  'without a type of a field': ofField({ minLength: 1 }),
  'without a type of items': ofField(list({ minLength: 1 })),
  'with a list without items': ofField({ type: 'array' }),
  'with items that are a list': ofField(list([STRING, INTEGER])),
  'with items that are a text': ofField(list('x')),
  'with items that are no schema': ofField(list({ type: 1 })),
  'with an unknown keyword within items': ofField(list({ type: 'string', strange: 1 })),
  'with an id': ofField({ type: 'string', id: 'x' }),
  'with a $schema': ofField({ type: 'string', $schema: 'http://json-schema.org/draft-04/schema#' }),
  'with a $ref': ofField({ type: 'string', $ref: '#/definitions/x' }),
  'with definitions': ofRoot({ type: 'object', definitions: { x: STRING } }),
  'with dependencies': ofField(struct({ a: STRING, b: STRING }, { dependencies: { a: ['b'] } })),
  'with a pattern for names of fields': ofField({
    type: 'object',
    patternProperties: { a: STRING },
  }),
  'with additional items': ofField({ ...list(STRING), additionalItems: true }),
  'with additional items that are a text': ofField({ ...list(STRING), additionalItems: 'x' }),
  'with unique items': ofField(list(STRING, { uniqueItems: true })),
  'with fields and others': ofField(struct({ a: STRING }, { additionalProperties: STRING })),
  'with fields and no others': ofField(struct({ a: STRING }, { additionalProperties: false })),
  'with fields and any others': ofField(struct({ a: STRING }, { additionalProperties: true })),
  'with a map': ofField({ type: 'object', additionalProperties: { ...STRING, maxLength: 5 } }),
  'with a bad pattern': ofField({ type: 'string', pattern: '([a-z' }),
  'with a pattern that looks ahead': ofField({ type: 'string', pattern: '^(?=a)b' }),
  'with an unknown format': ofField({ type: 'string', format: 'secret-sauce' }),
  'with known formats': ofField(
    struct({ a: { type: 'string', format: 'date-time' }, b: { type: 'integer', format: 'int64' } }),
  ),
  'with several bad fields': ofField(
    struct({ a: { type: 'array' }, b: { pattern: 'a' }, c: { type: 'string', pattern: ')' } }),
  ),
  'with numbers of every form': ofField({
    type: 'number',
    minimum: -0.5,
    maximum: 1e21,
    multipleOf: 1e-7,
    exclusiveMaximum: true,
    enum: [1, 2.5, 9007199254740991, null],
  }),
  'with words': ofField({
    type: 'string',
    title: 'T',
    description: 'D',
    externalDocs: { url: 'https://example.com', description: 'E' },
    example: { b: 1, a: [true] },
  }),
  'with a length that is a text': ofField({ type: 'string', maxLength: '5' }),
  'with a length that is a fraction': ofField({ type: 'string', maxLength: 1.5 }),
  'with a length below zero': ofField({ type: 'string', maxLength: -1 }),
  // Kubernetes' extensions.
  'that prunes nothing': ofRoot({ type: 'object', [PRESERVE]: true }),
  'that says it prunes': ofField({ type: 'object', [PRESERVE]: false }),
  'with a field of any type': ofField({ [PRESERVE]: true }),
  'with an object in it': ofField({ type: 'object', [EMBEDDED]: true, [PRESERVE]: true }),
  'with an object in it of nothing': ofField({ type: 'object', [EMBEDDED]: true }),
  'with an object in it that is a text': ofField({ type: 'string', [EMBEDDED]: true }),
  'with an object in it of no type': ofField({ [EMBEDDED]: true, [PRESERVE]: true }),
  'with an object in it of any fields': ofField({
    type: 'object',
    [EMBEDDED]: true,
    [PRESERVE]: true,
    additionalProperties: STRING,
  }),
  'with an object in it with bad types of its own fields': ofField(
    struct({ kind: INTEGER, apiVersion: OBJECT, metadata: STRING }, { [EMBEDDED]: true }),
  ),
  'with an object in metadata': ofRoot(
    struct({ metadata: { type: 'object', [EMBEDDED]: true, [PRESERVE]: true } }),
  ),
  'with a number or text': ofField({ [INT_OR_STRING]: true }),
  'with a number or text, as it is often written': ofField({
    [INT_OR_STRING]: true,
    anyOf: [INTEGER, STRING],
  }),
  'with a number or text, among others': ofField({
    [INT_OR_STRING]: true,
    allOf: [{ anyOf: [INTEGER, STRING] }, { not: { pattern: 'x' } }],
  }),
  'with a number or text, the other way round': ofField({
    [INT_OR_STRING]: true,
    anyOf: [STRING, INTEGER],
  }),
  'with a number or text of any fields': ofField({ [INT_OR_STRING]: true, [PRESERVE]: true }),
  'with a number or text that is an object': ofField({
    type: 'object',
    [INT_OR_STRING]: true,
    [EMBEDDED]: true,
  }),
  'with a set': ofField(list(STRING, { [LIST_TYPE]: 'set' })),
  'with a set of objects': ofField(list(struct({ a: STRING }), { [LIST_TYPE]: 'set' })),
  'with a set of whole objects': ofField(
    list(struct({ a: STRING }, { [MAP_TYPE]: 'atomic' }), { [LIST_TYPE]: 'set' }),
  ),
  'with a set of sets': ofField(list(list(STRING, { [LIST_TYPE]: 'set' }), { [LIST_TYPE]: 'set' })),
  'with a set of what may be null': ofField(
    list({ type: 'string', nullable: true }, { [LIST_TYPE]: 'set' }),
  ),
  'with an unknown type of a list': ofField(list(STRING, { [LIST_TYPE]: 'bag' })),
  'with a type of a list that is a text': ofField({ type: 'string', [LIST_TYPE]: 'set' }),
  'with a type of a list of no type': ofField({ [PRESERVE]: true, [LIST_TYPE]: 'set' }),
  'with a list by keys': ofField(
    list(struct({ a: STRING, b: { type: 'string', default: 'x' } }, { required: ['a'] }), {
      [LIST_TYPE]: 'map',
      [LIST_KEYS]: ['a', 'b'],
    }),
  ),
  'with a list by no keys': ofField(list(struct({ a: STRING }), { [LIST_TYPE]: 'map' })),
  'with a list by keys that are not there': ofField(
    list(struct({ a: STRING }, { required: ['a'] }), {
      [LIST_TYPE]: 'map',
      [LIST_KEYS]: ['a', 'z'],
    }),
  ),
  'with a list by the same key twice': ofField(
    list(struct({ a: STRING }, { required: ['a'] }), {
      [LIST_TYPE]: 'map',
      [LIST_KEYS]: ['a', 'a'],
    }),
  ),
  'with a list by a key that is an object': ofField(
    list(struct({ a: OBJECT }, { required: ['a'] }), { [LIST_TYPE]: 'map', [LIST_KEYS]: ['a'] }),
  ),
  'with a list by a key that may be missing or null': ofField(
    list(struct({ a: { type: 'string', nullable: true } }, { nullable: true }), {
      [LIST_TYPE]: 'map',
      [LIST_KEYS]: ['a'],
    }),
  ),
  'with a list of texts by keys': ofField(list(STRING, { [LIST_TYPE]: 'map', [LIST_KEYS]: ['a'] })),
  'with keys of a list of no type': ofField(list(OBJECT, { [LIST_KEYS]: ['a'] })),
  'with keys of a set': ofField(list(STRING, { [LIST_TYPE]: 'set', [LIST_KEYS]: ['a'] })),
  'with a list by keys without items': ofField({
    type: 'array',
    [LIST_TYPE]: 'map',
    [LIST_KEYS]: ['a'],
  }),
  'with a list by keys of several kinds of items': ofField(
    list([OBJECT, STRING], { [LIST_TYPE]: 'map', [LIST_KEYS]: ['a'] }),
  ),
  'with an unknown type of a map': ofField({ type: 'object', [MAP_TYPE]: 'loose' }),
  'with a type of a map that is a text': ofField({ type: 'string', [MAP_TYPE]: 'atomic' }),
  'with a type of a map of no type': ofField({ [PRESERVE]: true, [MAP_TYPE]: 'granular' }),
  // Structure is said once, outside of everything that only judges.
  'with a type within anyOf': ofField({ type: 'string', anyOf: [STRING] }),
  'with everything within allOf': ofField({
    type: 'object',
    allOf: [
      {
        type: 'object',
        title: 'T',
        description: 'D',
        default: {},
        nullable: true,
        additionalProperties: true,
        [PRESERVE]: true,
        [EMBEDDED]: true,
        [INT_OR_STRING]: true,
        [LIST_TYPE]: 'atomic',
        [LIST_KEYS]: ['a'],
        [MAP_TYPE]: 'atomic',
        [RULES]: [rule('true')],
      },
    ],
  }),
  'with a field only within oneOf': ofField(
    struct(
      { a: STRING },
      { oneOf: [{ required: ['a'] }, { properties: { b: { minLength: 1 } } }] },
    ),
  ),
  'with items only within not': ofField({ [PRESERVE]: true, not: { items: { minLength: 1 } } }),
  'with a bad pattern within not': ofField({ type: 'string', not: { pattern: '[' } }),
  'with metadata within anyOf': ofRoot({
    type: 'object',
    anyOf: [{ properties: { metadata: { properties: { name: { minLength: 1 } } } } }],
  }),
  'with names restricted': ofRoot(
    struct({
      apiVersion: STRING,
      kind: STRING,
      metadata: struct({ name: { type: 'string', maxLength: 5, pattern: '^a' } }),
    }),
  ),
  'with labels restricted': ofRoot(
    struct({ metadata: struct({ labels: { type: 'object', additionalProperties: STRING } }) }),
  ),
  'with metadata that is a text': ofRoot(struct({ metadata: STRING })),
  'with a kind that is a number': ofRoot(struct({ kind: INTEGER })),
  'with what a root may not have beside a status': ofRoot(
    { type: 'object', maxProperties: 5, properties: { status: OBJECT } },
    WITH_STATUS,
  ),
  'with what a root may have beside a status': ofRoot(
    struct({ spec: OBJECT, status: OBJECT }, { required: ['spec'], description: 'D', title: 'T' }),
    WITH_STATUS,
  ),
  'with a root of another type beside a status': ofRoot({ type: 'string' }, WITH_STATUS),
  'with bad schemas of two versions': {
    spec: {
      versions: [
        version({ schema: { openAPIV3Schema: { type: 'array' } } }),
        version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'string' } } }),
      ],
    },
  },
  'with no stored version of two that have all': {
    spec: {
      versions: [
        version({ storage: false, deprecated: true, deprecationWarning: 'old' }),
        version({
          name: 'v2',
          storage: false,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.b' },
          },
          additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }],
          selectableFields: [{ jsonPath: '.spec.a' }],
          schema: {
            openAPIV3Schema: struct({
              spec: struct({
                a: { type: 'string', enum: ['<a>', 'b'], maxLength: 5, default: 'b' },
                b: list(STRING, { [LIST_TYPE]: 'set', externalDocs: { url: 'u' } }),
                c: { type: 'object', additionalProperties: { [INT_OR_STRING]: true } },
                d: { type: 'number', minimum: 1.5, not: { minimum: 3 }, example: { x: 1 } },
                e: { type: 'object', [PRESERVE]: true, [MAP_TYPE]: 'atomic' },
                f: {
                  type: 'integer',
                  [RULES]: [rule('self > 1', { reason: 'FieldValueInvalid' })],
                },
              }),
            }),
          },
        }),
      ],
    },
  },
  'with a status of one version, and a root that does not fit': {
    spec: {
      versions: [
        version(),
        version({
          name: 'v2',
          storage: false,
          schema: { openAPIV3Schema: { type: 'object', minProperties: 1 } },
          ...WITH_STATUS,
        }),
      ],
    },
  },
  'with fields to select by without a schema': {
    spec: {
      versions: [
        version(),
        version({
          name: 'v2',
          storage: false,
          schema: null,
          selectableFields: [{ jsonPath: '.spec.a' }],
        }),
      ],
    },
  },
  // Defaults.
  'with defaults': ofField(
    struct({
      a: { type: 'string', default: 'x' },
      b: { type: 'integer', default: 3 },
      c: list(STRING, { default: ['p', 'q'] }),
      d: struct({ e: STRING }, { default: { e: 'f' } }),
      g: { type: 'boolean', nullable: true, default: null },
    }),
  ),
  'with a default of another type': ofField({ type: 'string', default: 5 }),
  'with a default that is too long': ofField({ type: 'string', maxLength: 2, default: 'long' }),
  'with a default of unknown fields': ofField(struct({ a: STRING }, { default: { a: 'b', z: 1 } })),
  'with a default that misses a field': ofField(
    struct({ a: STRING }, { required: ['a'], default: {} }),
  ),
  'with a default within a list': ofField(list({ type: 'string', default: 1 })),
  'with a default for a name': ofRoot(
    struct({ metadata: struct({ name: { type: 'string', default: 'x' } }) }),
  ),
  'with a default for the kind': ofRoot(struct({ kind: { type: 'string', default: 'X' } })),
  'with a default for an object in it': ofField({
    type: 'object',
    [EMBEDDED]: true,
    [PRESERVE]: true,
    default: { apiVersion: 'v1', kind: 'Bad Kind!', metadata: { name: 'A B' } },
  }),
  'with a default for a name within': ofField(
    struct(
      { metadata: struct({ name: { type: 'string', default: 'A B' } }), apiVersion: STRING },
      { [EMBEDDED]: true },
    ),
  ),
  'with a default within the labels of a name': ofRoot(
    struct({
      metadata: struct({
        labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } },
      }),
    }),
  ),
  'with a default that is no object in it': ofField({
    type: 'object',
    [EMBEDDED]: true,
    [PRESERVE]: true,
    default: { kind: 5 },
  }),
  'with a default with metadata that is none': ofField({
    type: 'object',
    [EMBEDDED]: true,
    [PRESERVE]: true,
    default: { apiVersion: 'v1', kind: 'X', metadata: { name: 5 } },
  }),
  'with a default for labels within': ofField(
    struct(
      {
        metadata: struct({
          labels: {
            type: 'object',
            additionalProperties: STRING,
            default: { 'bad label': 'x' },
          },
        }),
      },
      { [EMBEDDED]: true },
    ),
  ),
  'with a default for the kind within': ofField(
    struct({ kind: { type: 'string', default: 'Bad Kind' } }, { [EMBEDDED]: true }),
  ),
  'with defaults for a number or text': ofField(
    struct({
      a: { [INT_OR_STRING]: true, default: 5 },
      b: { [INT_OR_STRING]: true, default: 'x' },
    }),
  ),
  'with a default with null in it': ofField(struct({ a: STRING }, { default: { a: null } })),
  'with a default of what is kept': ofField({
    type: 'object',
    [PRESERVE]: true,
    default: { z: { y: [1, 'x', null] }, a: 1.5 },
  }),
  'with a default that is deep and wrong': ofField(
    struct({ a: list(struct({ b: INTEGER })) }, { default: { a: [{ b: 1 }, { b: 'x' }] } }),
  ),
  'with a default that is no member of its enumeration': ofField({
    type: 'string',
    enum: ['a', 'b'],
    default: 'c',
  }),
  'with a default of a set with duplicates': ofField(
    list(STRING, { [LIST_TYPE]: 'set', default: ['a', 'a'] }),
  ),
  'with a default that a rule refuses': ofField({
    type: 'integer',
    default: 5,
    [RULES]: [rule('self < 3', { message: 'too many' })],
  }),
  'with a default of fields that a rule refuses': ofField(
    struct({ a: INTEGER }, { default: { a: 5 }, [RULES]: [rule('self.a < 3')] }),
  ),
  'with a default of fields, one of which a rule refuses': ofField(
    struct({ a: { type: 'integer', [RULES]: [rule('self < 3')] } }, { default: { a: 5 } }),
  ),
  // Rules.
  'with rules': ofField({
    type: 'integer',
    [RULES]: [
      rule('self > 0', { message: 'positive', reason: 'FieldValueForbidden' }),
      rule('self >= oldSelf', { messageExpression: '"not less than " + string(oldSelf)' }),
    ],
  }),
  'with a rule of nothing': ofField({ type: 'string', [RULES]: [rule(' ')] }),
  'with a rule that is no expression': ofField({
    type: 'string',
    [RULES]: [rule('self.size( > 1')],
  }),
  'with a rule about an unknown field': ofField(
    struct({ a: STRING }, { [RULES]: [rule('self.b == 1')] }),
  ),
  'with a rule of another type': ofField({ type: 'string', [RULES]: [rule('self')] }),
  'with a rule and an empty message': ofField({
    type: 'string',
    [RULES]: [rule('true', { message: ' ', messageExpression: ' ', fieldPath: ' ' })],
  }),
  'with a rule and a message of lines': ofField({
    type: 'string',
    [RULES]: [rule('true', { message: 'a\nb', fieldPath: '.a\nb' })],
  }),
  'with a rule of lines without a message': ofField({
    type: 'string',
    [RULES]: [rule('true\n|| false')],
  }),
  'with a rule and an unknown reason': ofField({
    type: 'string',
    [RULES]: [rule('true', { reason: 'Because' })],
  }),
  'with a rule and a path that is not there': ofField(
    struct({ a: STRING }, { [RULES]: [rule('true', { fieldPath: '.b' })] }),
  ),
  'with a rule and a path': ofField(
    struct({ a: STRING }, { [RULES]: [rule('true', { fieldPath: '.a' })] }),
  ),
  'with a bad expression for a message': ofField({
    type: 'string',
    [RULES]: [rule('true', { messageExpression: '1' })],
  }),
  'with a rule that costs too much': ofField(
    list(STRING, { [RULES]: [rule('self.all(a, self.all(b, a == b))')] }),
  ),
  'with rules that cost too much together': ofField(
    list({ type: 'string', [RULES]: [rule('self.matches("^a*$")')] }),
  ),
  'with a rule about what was in a list': ofField(
    list({ type: 'string', [RULES]: [rule('self == oldSelf')], maxLength: 5 }, { maxItems: 5 }),
  ),
  'with a rule that needs no old value': ofField({
    type: 'string',
    [RULES]: [rule('self != ""', { optionalOldSelf: true })],
  }),
  'with a rule within a bad schema': ofField({
    type: 'array',
    [RULES]: [rule('self.nothing')],
  }),
};

export const customResourceDefinitionSchemas: RowGroup = {
  name: 'customresourcedefinitions-schemas',
  rows: [
    ...creates(K, cases),
    row(
      K,
      'create',
      'with an unknown keyword, refused',
      post(K, object(K, ofField({ type: 'string', strange: 1 })), {
        query: { fieldValidation: 'Strict' },
      }),
    ),
    row(
      K,
      'create',
      'with an unknown format, and again with it',
      post(K, object(K, ofField({ type: 'string', format: 'secret-sauce' })), {
        name: 'make',
        setup: true,
      }),
      get(K, { until: '"InitialNamesAccepted"' }),
    ),
  ],
};
