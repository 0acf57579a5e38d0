import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from './json.ts';
import type { View } from './row.ts';
import { applyView } from './views.ts';

const cases: readonly { name: string; view: View | undefined; body: Json; want: Json }[] = [
  { name: 'no view', view: undefined, body: { a: 1 }, want: { a: 1 } },
  {
    name: 'shape: fields and types',
    view: 'shape',
    body: { a: 'x', b: [1, true], c: null },
    want: { a: '<string>', b: ['<number>', '<boolean>'], c: 'null' },
  },
  {
    name: 'checks: which there are is the program’s matter, how they went is not',
    view: 'checks',
    body: ['[+]ping ok', '[+]etcd ok', '[-]disk failed: reason withheld', 'livez check failed', ''],
    want: ['[+]<check> ok', '[-]<check> failed: reason withheld', 'livez check failed', ''],
  },
  {
    name: 'paths: those that every server has',
    view: 'paths',
    body: { paths: ['/apis', '/healthz/etcd', '/openapi/v3', '/version'] },
    want: { paths: ['/apis', '/openapi/v3', '/version'] },
  },
  {
    name: 'rules: in one order',
    view: 'rules',
    body: { status: { resourceRules: [{ verbs: ['b'] }, { verbs: ['a'] }], nonResourceRules: [] } },
    want: { status: { resourceRules: [{ verbs: ['a'] }, { verbs: ['b'] }], nonResourceRules: [] } },
  },
  {
    name: 'conditions: what each says, in one order',
    view: 'conditions',
    body: {
      metadata: { name: 'a' },
      status: {
        conditions: [
          { type: 'B', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
          { type: 'A', status: 'False', reason: 'Why' },
        ],
      },
    },
    want: { A: { status: 'False', reason: 'Why' }, B: { status: 'True' } },
  },
  {
    name: 'conditions: of what has none',
    view: 'conditions',
    body: { kind: 'Status', code: 404 },
    want: { kind: 'Status', code: 404 },
  },
  {
    name: 'discovery: resources that were asked for, with their subresources',
    view: { resources: ['secrets'], groups: [''] },
    body: { resources: [{ name: 'pods' }, { name: 'secrets' }, { name: 'secrets/x' }] },
    want: { resources: [{ name: 'secrets' }, { name: 'secrets/x' }] },
  },
  {
    name: 'discovery: groups that were asked for',
    view: { resources: [], groups: ['b'] },
    body: { groups: [{ name: 'a' }, { name: 'b' }] },
    want: { groups: [{ name: 'b' }] },
  },
  {
    name: 'discovery: aggregated, the core group has no name',
    view: { resources: ['secrets'], groups: [''] },
    body: {
      items: [
        {
          metadata: {},
          versions: [{ resources: [{ resource: 'pods' }, { resource: 'secrets' }] }],
        },
        { metadata: { name: 'apps' }, versions: [] },
      ],
    },
    want: { items: [{ metadata: {}, versions: [{ resources: [{ resource: 'secrets' }] }] }] },
  },
  {
    name: 'openapi: operations and fields without prose',
    view: 'openapi',
    body: {
      openapi: '3.0.0',
      info: { title: 'T' },
      paths: {
        '/a': {
          parameters: [{ name: 'pretty' }],
          get: {
            description: 'words',
            'x-kubernetes-action': 'list',
            parameters: [{ name: 'limit' }, { name: 'continue' }],
            responses: { 200: { content: { 'application/json': {} } } },
          },
        },
      },
      components: {
        schemas: {
          A: { type: 'object', required: ['b'], properties: { b: {} }, 'x-kubernetes-x': 1 },
        },
      },
    },
    want: {
      openapi: '3.0.0',
      paths: {
        '/a': {
          parameters: ['pretty'],
          get: {
            action: 'list',
            parameters: ['continue', 'limit'],
            consumes: [],
            results: { 200: ['application/json'] },
          },
        },
      },
      schemas: { A: { required: ['b'], properties: ['b'], 'x-kubernetes-x': 1 } },
    },
  },
];
for (const { name, view, body, want } of cases) {
  test(name, () => assert.deepEqual(applyView(body, view), want));
}
