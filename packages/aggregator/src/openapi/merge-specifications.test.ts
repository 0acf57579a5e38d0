import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beginMerge } from './merge-specifications.ts';
import { readSpecification, requireResolvable } from './read-specification.ts';
import { documentOf, type JsonObject } from './specification.ts';
import { KINDS } from './unite-kinds.ts';

const get = (name: string) => ({
  get: { responses: { 200: { schema: { $ref: `#/definitions/${name}` } } } },
});
const kind = (group: string) => ({ group, version: 'v1', kind: 'DeleteOptions' });

interface Row {
  readonly name: string;
  readonly documents: readonly JsonObject[];
  /** The sections of the result to compare; others are ignored. */
  readonly want: JsonObject;
}

const rows: readonly Row[] = [
  {
    name: 'the first one says what everything is called',
    documents: [
      { info: { title: 'one' }, security: [1], paths: { '/a': {} } },
      { info: { title: 'two' }, host: 'two', paths: { '/b': {} } },
    ],
    want: { info: { title: 'one' }, security: [1], host: undefined, paths: { '/a': {}, '/b': {} } },
  },
  {
    name: 'of the same path the earlier one is kept, and the definitions of the later one go',
    documents: [
      { paths: { '/a': get('A') }, definitions: { A: {} } },
      { paths: { '/a': get('B'), '/b': get('C') }, definitions: { B: {}, C: {} } },
    ],
    want: { paths: { '/a': get('A'), '/b': get('C') }, definitions: { A: {}, C: {} } },
  },
  {
    name: 'without any path of its own a document adds nothing',
    documents: [
      { paths: { '/a': {} }, definitions: {} },
      { paths: { '/a': get('B') }, definitions: { B: {}, Loose: {} } },
      { paths: {}, definitions: { Other: {} } },
    ],
    want: { paths: { '/a': {} }, definitions: {} },
  },
  {
    name: 'the same definition is there once, for the kinds of all',
    documents: [
      {
        paths: { '/a': {} },
        definitions: { D: { type: 'object', [KINDS]: [kind('b'), kind('c')] } },
      },
      {
        paths: { '/b': {} },
        definitions: { D: { [KINDS]: [kind('c'), kind('a')], type: 'object' } },
      },
      { paths: { '/c': {} }, definitions: { D: { type: 'object' } } },
    ],
    want: { definitions: { D: { type: 'object', [KINDS]: [kind('a'), kind('b'), kind('c')] } } },
  },
  {
    name: 'kinds are taken over by a definition that had none',
    documents: [
      { paths: { '/a': {} }, definitions: { D: {} } },
      { paths: { '/b': {} }, definitions: { D: { [KINDS]: [kind('a')] } } },
    ],
    want: { definitions: { D: { [KINDS]: [kind('a')] } } },
  },
  {
    name: 'another definition of the same name is renamed, and so are the references to it',
    documents: [
      { paths: { '/a': get('D') }, definitions: { D: { type: 'object' } } },
      {
        paths: { '/b': get('D') },
        definitions: { D: { type: 'string' }, E: { items: { $ref: '#/definitions/D' } } },
      },
      { paths: { '/c': get('D') }, definitions: { D: { type: 'integer' } } },
    ],
    want: {
      paths: { '/a': get('D'), '/b': get('D_v2'), '/c': get('D_v3') },
      definitions: {
        D: { type: 'object' },
        D_v2: { type: 'string' },
        E: { items: { $ref: '#/definitions/D_v2' } },
        D_v3: { type: 'integer' },
      },
    },
  },
  {
    name: 'a renamed definition is used again',
    documents: [
      { paths: { '/a': get('D') }, definitions: { D: { type: 'object' } } },
      { paths: { '/b': get('D') }, definitions: { D: { type: 'string', [KINDS]: [kind('b')] } } },
      { paths: { '/c': get('D') }, definitions: { D: { type: 'string', [KINDS]: [kind('a')] } } },
    ],
    want: {
      paths: { '/a': get('D'), '/b': get('D_v2'), '/c': get('D_v2') },
      definitions: {
        D: { type: 'object' },
        D_v2: { type: 'string', [KINDS]: [kind('a'), kind('b')] },
      },
    },
  },
  {
    name: 'a new name is one that neither document has',
    documents: [
      { paths: { '/a': get('D') }, definitions: { D: { type: 'object' } } },
      {
        paths: { '/b': get('D'), '/c': get('D_v2') },
        definitions: { D: { type: 'string' }, D_v2: { type: 'boolean' } },
      },
    ],
    want: {
      paths: { '/a': get('D'), '/b': get('D_v3'), '/c': get('D_v2') },
      definitions: { D: { type: 'object' }, D_v3: { type: 'string' }, D_v2: { type: 'boolean' } },
    },
  },
  {
    name: 'parameters are renamed when they differ in anything',
    documents: [
      { paths: { '/a': {} }, parameters: { p: { name: 'p', in: 'query' } } },
      {
        paths: { '/b': { parameters: [{ $ref: '#/parameters/p' }] } },
        parameters: { p: { name: 'p', in: 'path' } },
      },
      {
        paths: { '/c': { parameters: [{ $ref: '#/parameters/p' }] } },
        parameters: { p: { in: 'query', name: 'p' } },
      },
    ],
    want: {
      paths: {
        '/a': {},
        '/b': { parameters: [{ $ref: '#/parameters/p_v2' }] },
        '/c': { parameters: [{ $ref: '#/parameters/p' }] },
      },
      parameters: { p: { name: 'p', in: 'query' }, p_v2: { name: 'p', in: 'path' } },
    },
  },
  {
    name: 'fields with the names of everything that objects have',
    documents: [
      { paths: { '/a': {} }, definitions: { constructor: { type: 'object' } } },
      { paths: { '/b': get('constructor') }, definitions: { constructor: { type: 'string' } } },
    ],
    want: { definitions: { constructor: { type: 'object' }, constructor_v2: { type: 'string' } } },
  },
];
for (const { name, documents, want } of rows) {
  test(name, () => {
    const merged = merge(documents);
    for (const [key, value] of Object.entries(want)) assert.deepEqual(merged[key], value, key);
  });
}

test('a specification that cannot be added leaves nothing behind', () => {
  const merging = beginMerge(read({ paths: { '/a': {} }, definitions: { D: { [KINDS]: [] } } }));
  const before = JSON.stringify(documentOf(merging.result()));
  const broken = read({
    paths: { '/b': get('E') },
    definitions: { E: {}, D: { [KINDS]: 'no list' } },
  });
  assert.throws(() => merging.add(broken), /is no list/);
  assert.equal(JSON.stringify(documentOf(merging.result())), before);
});

/** Few names and few contents, so that they meet. */
const contents = fc.constantFrom('string', 'integer', 'boolean');
const names = fc.constantFrom('A', 'B', 'C', 'A_v2');
const specification = fc
  .record({
    definitions: fc.dictionary(
      names,
      fc.record({ type: contents, refers: fc.option(names), groups: fc.subarray(['x', 'y', 'z']) }),
      { minKeys: 1 },
    ),
    paths: fc.dictionary(
      fc.constantFrom('/1', '/2', '/3', '/4', '/5'),
      fc.record({ definition: names, parameter: contents }),
    ),
  })
  .map(({ definitions, paths }) => {
    const known = (name: string) =>
      `#/definitions/${Object.hasOwn(definitions, name) ? name : Object.keys(definitions)[0]}`;
    return {
      definitions: Object.fromEntries(
        Object.entries(definitions).map(([name, { type, refers, groups }]) => [
          name,
          { type, [KINDS]: groups.map(kind), ...(refers && { items: { $ref: known(refers) } }) },
        ]),
      ),
      parameters: Object.fromEntries(
        Object.values(paths).map(({ parameter }, index) => [`p${index % 2}`, { type: parameter }]),
      ),
      paths: Object.fromEntries(
        Object.entries(paths).map(([path, { definition }]) => [
          path,
          {
            parameters: [{ $ref: '#/parameters/p0' }],
            get: { responses: { 200: { schema: { $ref: known(definition) } } } },
          },
        ]),
      ),
    };
  });

test('every path is kept, every reference leads somewhere, and nothing that is referred to changes its meaning', () => {
  fc.assert(
    fc.property(fc.array(specification, { minLength: 1, maxLength: 5 }), (documents) => {
      const merging = beginMerge(read(documents[0] ?? {}));
      for (const document of documents.slice(1)) merging.add(read(document));
      requireResolvable(merging.result());
      const merged = documentOf(merging.result());
      const paths = merged.paths as JsonObject;
      const all = new Set(documents.flatMap((document) => Object.keys(document.paths)));
      assert.deepEqual(new Set(Object.keys(paths)), all);
      for (const path of all) {
        const owner = documents.find((document) => Object.hasOwn(document.paths, path));
        assert.ok(owner);
        assert.equal(typeBehind(merged, path), typeBehind(owner, path), path);
      }
    }),
    { numRuns: 500 },
  );
});

test('documents that meet nowhere are simply put together', () => {
  fc.assert(
    fc.property(fc.array(specification, { minLength: 1, maxLength: 4 }), (documents) => {
      const apart = documents.map((document, index) =>
        JSON.parse(
          JSON.stringify(document)
            .replaceAll('#/definitions/', `#/definitions/s${index}`)
            .replaceAll(/"(A_v2|A|B|C)":\{"type"/g, `"s${index}$1":{"type"`)
            .replaceAll(/"(\/\d)":/g, `"/s${index}$1":`)
            .replaceAll(/p([01])"/g, `p$1s${index}"`),
        ),
      ) as (typeof documents)[number][];
      const merged = merge(apart);
      const used = apart.filter(
        (document, index) => index === 0 || Object.keys(document.paths).length > 0,
      );
      for (const section of ['paths', 'definitions', 'parameters'] as const) {
        const naive = Object.assign({}, ...used.map((document) => document[section]));
        assert.deepEqual(merged[section] ?? {}, naive, section);
      }
    }),
    { numRuns: 200 },
  );
});

function merge(documents: readonly JsonObject[]): JsonObject {
  const merging = beginMerge(read(documents[0] ?? {}));
  for (const document of documents.slice(1)) merging.add(read(document));
  return documentOf(merging.result());
}

function read(document: JsonObject) {
  return readSpecification(Buffer.from(JSON.stringify({ swagger: '2.0', ...document })));
}

/** The type of the schema of a path, without its fields. */
function typeBehind(document: JsonObject, path: string): unknown {
  const text = JSON.stringify((document.paths as JsonObject)[path]);
  const name = /#\/definitions\/(\w+)/.exec(text)?.[1] ?? '';
  return ((document.definitions as JsonObject)[name] as JsonObject).type;
}
