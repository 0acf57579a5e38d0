/** Invariants of every document, whatever the schemas of its kinds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import Type from 'typebox';
import { everything } from '../../test/everything-api.ts';
import { foreign } from '../../test/foreign-document.ts';
import { type ApiDefinition, defineApi } from '../definition/api.ts';
import { defineResource } from '../definition/resource.ts';
import { version } from '../definition/version.ts';
import { mapValues } from '../schema/openapi-schema.ts';
import { documentParts, wholeDocument } from './document-parts.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';
import {
  type DocumentV2,
  encodeDocumentV2,
  encodeForeignDocumentV2,
} from './protobuf/document-v2.ts';

const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'y', 'x-field', '$ref');
const word = fc.constantFrom('', 'some words', '"quoted"\n# line', 'ü 🜚');
const literal = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

const leaf = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(9) }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('string'), pattern: word, title: word, description: word }),
  fc.record({
    type: fc.constant('integer'),
    exclusiveMinimum: fc.integer(),
    minimum: fc.integer(),
  }),
  fc.record({
    type: fc.constant('number'),
    maximum: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ type: fc.constant('boolean'), default: fc.boolean() }),
  fc.record({ const: literal }),
  fc.record({ enum: fc.array(literal, { minLength: 1, maxLength: 3 }) }),
  fc.constantFrom(
    {},
    { type: 'null' },
    { type: ['string', 'null'] },
    { type: ['integer', 'string'] },
    { type: 'array' },
    { 'x-kubernetes-int-or-string': true },
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    { $ref: '#/$defs/Part' },
    { $ref: 'Part', description: 'with words' },
    { $ref: '#' },
  ),
);

const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => {
  const inner = tie('schema');
  const properties = fc
    .array(fc.tuple(name, inner), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record(
        {
          type: fc.constant('object'),
          properties,
          required: fc.array(name, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), inner),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ type: fc.constant('object'), patternProperties: fc.record({ '^.*$': inner }) }),
      fc.record({ type: fc.constant('array'), items: inner, uniqueItems: fc.boolean() }),
      fc.record({ type: fc.constant('array'), items: fc.array(inner, { maxLength: 2 }) }),
      fc.record({ anyOf: fc.array(inner, { maxLength: 3 }), description: word }),
      fc.record({ oneOf: fc.array(inner, { maxLength: 3 }), type: fc.constant('object') }),
      fc.record({ allOf: fc.array(inner, { maxLength: 3 }) }),
      fc.record({ not: inner }),
    ),
  };
});

const jsonSchema: fc.Arbitrary<object> = fc
  .tuple(anySchema, anySchema)
  .map(([main, part]) => ({ $defs: { Part: part }, type: 'object', properties: { main } }));

/** The keywords of a schema object in OpenAPI 2.0. */
const V2_KEYWORDS = new Set(
  (
    '$ref format title description default multipleOf maximum exclusiveMaximum minimum exclusiveMinimum ' +
    'maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required enum ' +
    'additionalProperties type items allOf properties discriminator readOnly xml externalDocs example'
  ).split(' '),
);

test('every reference leads somewhere, and version 2 uses only what it has', () => {
  fc.assert(
    fc.property(jsonSchema, (random) => {
      const api = defineApi({ group: 'a.example.com', resources: [thing(random)] });
      const parts = [...documentParts([api], { patchTypes: [] })];
      const info = { title: 'A', version: 'v1' };
      const { definitions, paths } = documentV2(wholeDocument([api], parts), info);
      for (const inner of [...Object.values(definitions), ...responseSchemas(paths)]) {
        checkReferences(inner, '#/definitions/', definitions);
        checkV2(inner);
      }
      for (const part of parts) {
        const document = documentV3(part, { info, isControlPlane: false });
        const { schemas } = document.components;
        for (const inner of [...Object.values(schemas), ...responseSchemas(document.paths)]) {
          checkReferences(inner, '#/components/schemas/', schemas);
          checkV3(inner);
        }
      }
    }),
    { numRuns: 300 },
  );
});

function thing(spec: object) {
  return defineResource({
    kind: 'Thing',
    plural: 'things',
    scope: 'Cluster',
    versions: { v1: version({ spec }) },
  });
}

function responseSchemas(paths: object): object[] {
  const found: object[] = [];
  JSON.stringify(paths, (key, value: object) => {
    if (key === 'schema') found.push(value);
    return value;
  });
  assert.ok(found.length > 0);
  return found;
}

type AnySchema = Readonly<Record<string, unknown>>;

/** Schemas are found by their position: a field may be named `$ref`. */
function subschemas(parent: object): AnySchema[] {
  const {
    properties = {},
    items,
    additionalProperties,
    not,
    allOf,
    anyOf,
    oneOf,
  } = parent as AnySchema;
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (list as AnySchema[] | undefined) ?? []);
  const single = [items, additionalProperties, not].filter((one) => typeof one === 'object');
  return [...Object.values(properties as object), ...lists, ...single] as AnySchema[];
}

function checkReferences(parent: object, prefix: string, definitions: object): void {
  const { $ref } = parent as AnySchema;
  if ($ref !== undefined) {
    assert.ok(typeof $ref === 'string' && $ref.startsWith(prefix));
    assert.ok(Object.hasOwn(definitions, $ref.slice(prefix.length)), $ref);
  }
  for (const inner of subschemas(parent)) checkReferences(inner, prefix, definitions);
}

/** kubectl rejects a document of version 2 for any of these. */
function checkV2(parent: object): void {
  const one = parent as AnySchema;
  for (const keyword of Object.keys(one)) {
    assert.ok(V2_KEYWORDS.has(keyword) || keyword.startsWith('x-'), keyword);
  }
  if (one.type !== undefined)
    assert.match(String(one.type), /^(object|array|string|integer|number|boolean)$/);
  if (one.type === 'array') assert.ok(typeof one.items === 'object' && !Array.isArray(one.items));
  if (one.$ref !== undefined) assert.ok(!('type' in one) && !('properties' in one));
  if (one.properties !== undefined) assert.notDeepEqual(one.properties, {});
  for (const inner of subschemas(parent)) checkV2(inner);
}

/** kubectl explain fails on an empty schema, and OpenAPI 3.0 has neither type lists nor the type null. */
function checkV3(parent: object): void {
  const one = parent as AnySchema;
  assert.notDeepEqual(one, {});
  assert.ok(one.type === undefined || (typeof one.type === 'string' && one.type !== 'null'));
  if (one.$ref !== undefined) assert.deepEqual(Object.keys(one), ['$ref']);
  for (const bound of [one.exclusiveMinimum, one.exclusiveMaximum]) {
    assert.ok(bound === undefined || typeof bound === 'boolean');
  }
  for (const inner of subschemas(parent)) checkV3(inner);
}

/*
 * The protobuf form is decoded by a reader that shares nothing with the encoder but the wire format: it has its own
 * field numbers, so that a wrong number is found.
 */

type Kind =
  | 'text'
  | 'flag'
  | 'integer'
  | 'double'
  | 'yaml'
  | { readonly message: string }
  /** A message with one relevant field; several numbers are its variants. */
  | { readonly inside: Readonly<Record<number, Kind>> }
  | { readonly map: Kind; readonly at: number };

type Message = Readonly<Record<number, readonly [key: string, kind: Kind, many?: 'many']>>;

const schema: Kind = { message: 'Schema' };
const operation: Kind = { message: 'Operation' };
const parameter: Kind = {
  inside: {
    1: { message: 'BodyParameter' },
    2: {
      inside: {
        1: { message: 'HeaderParameter' },
        2: { message: 'FormDataParameter' },
        3: { message: 'QueryParameter' },
        4: { message: 'PathParameter' },
      },
    },
  },
};
const parameterItem: Kind = { inside: { 1: parameter, 2: { message: 'JsonReference' } } };

/** Shared by parameters, headers and their items, whose numbers begin at different offsets. */
const SIMPLE = [
  ['type', 'text'],
  ['format', 'text'],
  ['items', { message: 'Items' }],
  ['collectionFormat', 'text'],
  ['default', 'yaml'],
  ['maximum', 'double'],
  ['exclusiveMaximum', 'flag'],
  ['minimum', 'double'],
  ['exclusiveMinimum', 'flag'],
  ['maxLength', 'integer'],
  ['minLength', 'integer'],
  ['pattern', 'text'],
  ['maxItems', 'integer'],
  ['minItems', 'integer'],
  ['uniqueItems', 'flag'],
  ['enum', 'yaml', 'many'],
  ['multipleOf', 'double'],
] as const;
const simpleFrom = (first: number): Message =>
  Object.fromEntries(SIMPLE.map((field, index) => [first + index, field]));
const extensions = { message: 'NamedAny' } as const;
const security: Kind = {
  inside: {
    1: { message: 'Basic' },
    2: { message: 'ApiKey' },
    3: { message: 'Implicit' },
    4: { message: 'Direct' },
    5: { message: 'Direct' },
    6: { message: 'AccessCode' },
  },
};
const scopes: Kind = { map: 'text', at: 1 };

const MESSAGES: Readonly<Record<string, Message>> = {
  Document: {
    1: ['swagger', 'text'],
    2: ['info', { message: 'Info' }],
    3: ['host', 'text'],
    4: ['basePath', 'text'],
    5: ['schemes', 'text', 'many'],
    6: ['consumes', 'text', 'many'],
    7: ['produces', 'text', 'many'],
    8: ['paths', { map: { message: 'PathItem' }, at: 2 }],
    9: ['definitions', { map: schema, at: 1 }],
    10: ['parameters', { map: parameter, at: 1 }],
    11: ['responses', { map: { message: 'Response' }, at: 1 }],
    12: ['security', { map: { message: 'StringArray' }, at: 1 }, 'many'],
    13: ['securityDefinitions', { map: security, at: 1 }],
    14: ['tags', { message: 'Tag' }, 'many'],
    15: ['externalDocs', { message: 'ExternalDocs' }],
    16: ['x-', extensions, 'many'],
  },
  Info: {
    1: ['title', 'text'],
    2: ['version', 'text'],
    3: ['description', 'text'],
    4: ['termsOfService', 'text'],
    5: ['contact', { message: 'Contact' }],
    6: ['license', { message: 'License' }],
    7: ['x-', extensions, 'many'],
  },
  Contact: {
    1: ['name', 'text'],
    2: ['url', 'text'],
    3: ['email', 'text'],
    4: ['x-', extensions, 'many'],
  },
  License: { 1: ['name', 'text'], 2: ['url', 'text'], 3: ['x-', extensions, 'many'] },
  ExternalDocs: { 1: ['description', 'text'], 2: ['url', 'text'], 3: ['x-', extensions, 'many'] },
  Tag: {
    1: ['name', 'text'],
    2: ['description', 'text'],
    3: ['externalDocs', { message: 'ExternalDocs' }],
    4: ['x-', extensions, 'many'],
  },
  JsonReference: { 1: ['$ref', 'text'], 2: ['description', 'text'] },
  Items: { ...simpleFrom(1), 18: ['x-', extensions, 'many'] },
  Header: { ...simpleFrom(1), 18: ['description', 'text'], 19: ['x-', extensions, 'many'] },
  Basic: { 1: ['type', 'text'], 2: ['description', 'text'], 3: ['x-', extensions, 'many'] },
  Implicit: {
    1: ['type', 'text'],
    2: ['flow', 'text'],
    3: ['scopes', scopes],
    4: ['authorizationUrl', 'text'],
    5: ['description', 'text'],
    6: ['x-', extensions, 'many'],
  },
  Direct: {
    1: ['type', 'text'],
    2: ['flow', 'text'],
    3: ['scopes', scopes],
    4: ['tokenUrl', 'text'],
    5: ['description', 'text'],
    6: ['x-', extensions, 'many'],
  },
  AccessCode: {
    1: ['type', 'text'],
    2: ['flow', 'text'],
    3: ['scopes', scopes],
    4: ['authorizationUrl', 'text'],
    5: ['tokenUrl', 'text'],
    6: ['description', 'text'],
    7: ['x-', extensions, 'many'],
  },
  Xml: {
    1: ['name', 'text'],
    2: ['namespace', 'text'],
    3: ['prefix', 'text'],
    4: ['attribute', 'flag'],
    5: ['wrapped', 'flag'],
    6: ['x-', extensions, 'many'],
  },
  FileSchema: {
    1: ['format', 'text'],
    2: ['title', 'text'],
    3: ['description', 'text'],
    4: ['default', 'yaml'],
    5: ['required', 'text', 'many'],
    6: ['type', 'text'],
    7: ['readOnly', 'flag'],
    8: ['externalDocs', { message: 'ExternalDocs' }],
    9: ['example', 'yaml'],
    10: ['x-', extensions, 'many'],
  },
  StringArray: { 1: ['value', 'text', 'many'] },
  ApiKey: {
    1: ['type', 'text'],
    2: ['name', 'text'],
    3: ['in', 'text'],
    4: ['description', 'text'],
    5: ['x-', extensions, 'many'],
  },
  PathItem: {
    1: ['$ref', 'text'],
    2: ['get', operation],
    3: ['put', operation],
    4: ['post', operation],
    5: ['delete', operation],
    6: ['options', operation],
    7: ['head', operation],
    8: ['patch', operation],
    9: ['parameters', parameterItem, 'many'],
    10: ['x-', extensions, 'many'],
  },
  Operation: {
    1: ['tags', 'text', 'many'],
    2: ['summary', 'text'],
    3: ['description', 'text'],
    4: ['externalDocs', { message: 'ExternalDocs' }],
    5: ['operationId', 'text'],
    6: ['produces', 'text', 'many'],
    7: ['consumes', 'text', 'many'],
    8: ['parameters', parameterItem, 'many'],
    9: [
      'responses',
      {
        map: { inside: { 1: { message: 'Response' }, 2: { message: 'JsonReference' } } },
        at: 1,
      },
    ],
    10: ['schemes', 'text', 'many'],
    11: ['deprecated', 'flag'],
    12: ['security', { map: { message: 'StringArray' }, at: 1 }, 'many'],
    13: ['x-', { message: 'NamedAny' }, 'many'],
  },
  Response: {
    1: ['description', 'text'],
    2: ['schema', { inside: { 1: schema, 2: { message: 'FileSchema' } } }],
    3: ['headers', { map: { message: 'Header' }, at: 1 }],
    4: ['examples', { map: 'yaml', at: 1 }],
    5: ['x-', extensions, 'many'],
  },
  BodyParameter: {
    1: ['description', 'text'],
    2: ['name', 'text'],
    3: ['in', 'text'],
    4: ['required', 'flag'],
    5: ['schema', schema],
    6: ['x-', extensions, 'many'],
  },
  QueryParameter: {
    1: ['required', 'flag'],
    2: ['in', 'text'],
    3: ['description', 'text'],
    4: ['name', 'text'],
    5: ['allowEmptyValue', 'flag'],
    ...simpleFrom(6),
    23: ['x-', extensions, 'many'],
  },
  FormDataParameter: {
    1: ['required', 'flag'],
    2: ['in', 'text'],
    3: ['description', 'text'],
    4: ['name', 'text'],
    5: ['allowEmptyValue', 'flag'],
    ...simpleFrom(6),
    23: ['x-', extensions, 'many'],
  },
  PathParameter: {
    1: ['required', 'flag'],
    2: ['in', 'text'],
    3: ['description', 'text'],
    4: ['name', 'text'],
    ...simpleFrom(5),
    22: ['x-', extensions, 'many'],
  },
  HeaderParameter: {
    1: ['required', 'flag'],
    2: ['in', 'text'],
    3: ['description', 'text'],
    4: ['name', 'text'],
    ...simpleFrom(5),
    22: ['x-', extensions, 'many'],
  },
  Schema: {
    1: ['$ref', 'text'],
    2: ['format', 'text'],
    3: ['title', 'text'],
    4: ['description', 'text'],
    5: ['default', 'yaml'],
    6: ['multipleOf', 'double'],
    7: ['maximum', 'double'],
    8: ['exclusiveMaximum', 'flag'],
    9: ['minimum', 'double'],
    10: ['exclusiveMinimum', 'flag'],
    11: ['maxLength', 'integer'],
    12: ['minLength', 'integer'],
    13: ['pattern', 'text'],
    14: ['maxItems', 'integer'],
    15: ['minItems', 'integer'],
    16: ['uniqueItems', 'flag'],
    17: ['maxProperties', 'integer'],
    18: ['minProperties', 'integer'],
    19: ['required', 'text', 'many'],
    20: ['enum', 'yaml', 'many'],
    21: ['additionalProperties', { inside: { 1: schema, 2: 'flag' } }],
    22: ['type', { inside: { 1: 'text' } }],
    23: ['items', { inside: { 1: schema } }],
    24: ['allOf', schema, 'many'],
    25: ['properties', { map: schema, at: 1 }],
    26: ['discriminator', 'text'],
    27: ['readOnly', 'flag'],
    28: ['xml', { message: 'Xml' }],
    29: ['externalDocs', { message: 'ExternalDocs' }],
    30: ['example', 'yaml'],
    31: ['x-', { message: 'NamedAny' }, 'many'],
  },
  NamedAny: { 1: ['name', 'text'], 2: ['value', 'yaml'] },
};

const spec = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 5, pattern: '^a', title: 't', description: 'd' }),
  count: Type.Integer({ minimum: -1, exclusiveMaximum: 10, multipleOf: 2, format: 'int32' }),
  choice: Type.Union([Type.Literal('y'), Type.Literal('no')]),
  map: Type.Record(Type.String(), Type.Number(), { minProperties: 1, maxProperties: 2 }),
  list: Type.Array(Type.Boolean(), { minItems: 1, maxItems: 300, uniqueItems: true }),
  anything: Type.Any(),
  open: Type.Object({}, { additionalProperties: true, readOnly: true, examples: [{ a: 1 }] }),
});

test('the protobuf form says what the JSON form says', () => {
  const document = describe(spec);
  assert.deepEqual(decode(document), sent(document));
});

test('the protobuf form of an API with everything says what its JSON form says', () => {
  const document = documentOf(everything);
  assert.deepEqual(decode(document), sent(document));
});

test('the protobuf form of what others write says what their JSON says', () => {
  const bytes = Buffer.from(encodeForeignDocumentV2(foreign));
  assert.deepEqual(readMessage(bytes, 'Document'), foreign);
});

const misfits = [
  { name: 'a keyword that version 2 does not have', definition: { nullable: true, title: 't' } },
  { name: 'a text that is a number', definition: { description: 7, title: 't' } },
  { name: 'a flag that is a text', definition: { readOnly: 'yes', title: 't' } },
  { name: 'an integer that is none', definition: { maxLength: 1.5, title: 't' } },
  { name: 'a list that is none', definition: { required: 'a', title: 't' } },
];
for (const { name, definition } of misfits) {
  test(`in what others write, ${name} is left out`, () => {
    const bytes = Buffer.from(encodeForeignDocumentV2({ definitions: { D: definition } }));
    assert.deepEqual(readMessage(bytes, 'Document'), { definitions: { D: { title: 't' } } });
    const own = { definitions: { D: definition } } as unknown as DocumentV2;
    assert.throws(() => encodeDocumentV2(own), TypeError);
  });
}

test('random schemas, as JSON and as protobuf', () => {
  fc.assert(
    fc.property(jsonSchema, (random) => {
      const document = describe(random);
      assert.deepEqual(decode(document), sent(document));
    }),
    { numRuns: 200 },
  );
});

function describe(schemaOfSpec: object): DocumentV2 {
  const api = defineApi({ group: 'a.example.com', resources: [thing(schemaOfSpec)] });
  return documentOf(api);
}

function documentOf(api: ApiDefinition): DocumentV2 {
  const parts = [...documentParts([api], { patchTypes: ['application/merge-patch+json'] })];
  return documentV2(wholeDocument([api], parts), { title: 'A', version: 'v1' });
}

function sent(document: DocumentV2): unknown {
  return withoutDefaults(JSON.parse(JSON.stringify(document)));
}

function decode(document: DocumentV2): unknown {
  return readMessage(Buffer.from(encodeDocumentV2(document)), 'Document');
}

/** proto3 cannot distinguish default values from absent fields. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(
    ([, inner]) => inner !== '' && inner !== 0 && inner !== false,
  );
  return Object.fromEntries(
    present.map(([key, inner]) => {
      if (NAMED.has(key)) return [key, mapValues(inner, withoutDefaults)];
      return [
        key,
        key === 'enum' || key === 'example' || key.startsWith('x-')
          ? inner
          : withoutDefaults(inner),
      ];
    }),
  );
}

/** Keys below these are names, not keywords. */
const NAMED = new Set(['properties', 'definitions', 'paths', 'responses']);

interface Field {
  readonly id: number;
  readonly wire: number;
  readonly bytes: Buffer;
  readonly number: bigint;
}

function* fields(buffer: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = buffer.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < buffer.length) {
    const tag = Number(varint());
    const [id, wire] = [tag >> 3, tag & 7];
    const number = wire === 0 ? varint() : 0n;
    const length = wire === 2 ? Number(varint()) : wire === 1 ? 8 : 0;
    assert.ok(wire <= 2 && at + length <= buffer.length, `field ${id} of wire type ${wire}`);
    yield { id, wire, number, bytes: buffer.subarray(at, at + length) };
    at += length;
  }
}

function readMessage(buffer: Buffer, name: string): Record<string, unknown> {
  const message = MESSAGES[name];
  assert.ok(message, name);
  const entries = new Map<string, unknown>();
  for (const field of fields(buffer)) {
    const known = message[field.id];
    assert.ok(known, `${name} has no field ${field.id}`);
    const [key, kind, many] = known;
    const value = readValue(field, kind);
    if (key === 'x-') {
      const extension = value as { name: string; value: unknown };
      entries.set(extension.name, extension.value);
    } else if (many) entries.set(key, [...((entries.get(key) as unknown[]) ?? []), value]);
    else entries.set(key, value);
  }
  return Object.fromEntries(entries);
}

function readValue(field: Field, kind: Kind): unknown {
  switch (kind) {
    case 'text':
      return field.bytes.toString();
    case 'flag':
      return field.number === 1n;
    case 'integer':
      return Number(BigInt.asIntN(64, field.number));
    case 'double':
      return field.bytes.readDoubleLE();
    case 'yaml': {
      const [yaml] = fields(field.bytes);
      assert.equal(yaml?.id, 2);
      return JSON.parse(yaml.bytes.toString());
    }
  }
  if ('message' in kind) {
    const read = readMessage(field.bytes, kind.message);
    return kind.message === 'StringArray' ? (read.value ?? []) : read;
  }
  if ('map' in kind) return readMap(field.bytes, kind.map, kind.at);
  const [inner] = fields(field.bytes);
  assert.ok(inner);
  const innerKind = kind.inside[inner.id];
  assert.ok(innerKind, `no kind ${inner.id} inside ${field.id}`);
  return readValue(inner, innerKind);
}

function readMap(buffer: Buffer, kind: Kind, at: number): unknown {
  const entries = [...fields(buffer)].map((entry) => {
    assert.equal(entry.id, at);
    const parts = [...fields(entry.bytes)];
    const name = parts.find(({ id }) => id === 1)?.bytes.toString() ?? '';
    const value = parts.find(({ id }) => id === 2);
    assert.ok(value, name);
    return [name, readValue(value, kind)] as const;
  });
  return Object.fromEntries(entries);
}
