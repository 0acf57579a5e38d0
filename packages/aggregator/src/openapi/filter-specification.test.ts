import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterPaths, groupVersionPrefix } from './filter-specification.ts';
import { readSpecification } from './read-specification.ts';
import { documentOf } from './specification.ts';

const get = (reference: string) => ({
  get: { responses: { 200: { schema: { $ref: reference } } } },
});

const rows = [
  {
    name: 'paths of other group versions go, with the definitions that only they used',
    prefix: '/apis/a.io/v1/',
    document: {
      paths: {
        '/apis/a.io/': get('#/definitions/Group'),
        '/apis/a.io/v1': get('#/definitions/Group'),
        '/apis/a.io/v1/': get('#/definitions/List'),
        '/apis/a.io/v1/things': get('#/definitions/Thing'),
        '/apis/a.io/v1alpha1/things': get('#/definitions/Old'),
        '/apis/b.io/v1/things': get('#/definitions/Other'),
      },
      definitions: {
        Group: {},
        List: {},
        Thing: { properties: { meta: { $ref: '#/definitions/Meta' } } },
        Meta: {},
        Old: { properties: { meta: { $ref: '#/definitions/Meta' } } },
        Other: { items: { $ref: '#/definitions/OnlyOther' } },
        OnlyOther: {},
      },
    },
    paths: ['/apis/a.io/v1/', '/apis/a.io/v1/things'],
    definitions: ['List', 'Thing', 'Meta'],
  },
  {
    name: 'what nobody refers to stays, with what it refers to',
    prefix: '/apis/a.io/v1/',
    document: {
      paths: { '/apis/b.io/v1/': get('#/definitions/B') },
      definitions: { Loose: { $ref: '#/definitions/B' }, B: {} },
    },
    paths: [],
    definitions: ['Loose', 'B'],
  },
  {
    name: 'definitions are reached through shared parameters and responses',
    prefix: '/apis/a.io/v1/',
    document: {
      paths: {
        '/apis/a.io/v1/x': {
          parameters: [{ $ref: '#/parameters/body' }],
          get: { responses: { 200: { $ref: '#/responses/ok' } } },
        },
        '/apis/b.io/v1/x': {
          parameters: [{ $ref: '#/parameters/other' }],
          ...get('#/definitions/C'),
        },
      },
      parameters: {
        body: { in: 'body', schema: { $ref: '#/definitions/A' } },
        other: { in: 'body', schema: { $ref: '#/definitions/C' } },
      },
      responses: { ok: { schema: { $ref: '#/definitions/B' } } },
      definitions: { A: {}, B: {}, C: {} },
    },
    paths: ['/apis/a.io/v1/x'],
    definitions: ['A', 'B'],
  },
  {
    name: 'a field may be called like a keyword, and data may look like a reference',
    prefix: '/apis/a.io/v1/',
    document: {
      paths: { '/apis/a.io/v1/x': get('#/definitions/A'), '/x': get('#/definitions/D') },
      definitions: {
        A: {
          properties: { default: { $ref: '#/definitions/B' }, $ref: { type: 'string' } },
          default: { $ref: '#/definitions/D' },
          'x-note': { $ref: '#/definitions/D' },
        },
        B: {},
        D: {},
      },
    },
    paths: ['/apis/a.io/v1/x'],
    definitions: ['A', 'B'],
  },
  {
    name: 'a definition that contains itself',
    prefix: '/apis/a.io/v1/',
    document: {
      paths: { '/apis/a.io/v1/x': get('#/definitions/A'), '/y': {} },
      definitions: { A: { items: { $ref: '#/definitions/A' } } },
    },
    paths: ['/apis/a.io/v1/x'],
    definitions: ['A'],
  },
];
for (const { name, prefix, document, paths, definitions } of rows) {
  test(name, () => {
    const bytes = Buffer.from(JSON.stringify({ swagger: '2.0', ...document }));
    const filtered = filterPaths(readSpecification(bytes), (path) => path.startsWith(prefix));
    const { paths: left, definitions: defined } = documentOf(filtered);
    assert.deepEqual(Object.keys(left as object), paths);
    assert.deepEqual(Object.keys(defined as object), definitions);
  });
}

test('the core group has a prefix of its own', () => {
  assert.equal(groupVersionPrefix({ group: '', version: 'v1' }), '/api/v1/');
  assert.equal(groupVersionPrefix({ group: 'a.io', version: 'v2' }), '/apis/a.io/v2/');
});
