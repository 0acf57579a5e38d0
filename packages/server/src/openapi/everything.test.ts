/** The OpenAPI documents of an API with several versions, every kind of subresource, list and map. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everything } from '../../test/everything-api.ts';
import type { SchemaObject } from '../schema/openapi-schema.ts';
import { documentParts, wholeDocument } from './document-parts.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3, type OperationV3, type PathItemV3 } from './document-v3.ts';
import type { OperationV2 } from './protobuf/document-v2.ts';

const GROUP = 'everything.example.com';
const NAME = 'com.example.everything';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const PATCHES = ['application/merge-patch+json', 'application/apply-patch+yaml'];
const info = { title: 'Everything', version: 'v1' };

const parts = [...documentParts([everything], { patchTypes: PATCHES })];
const v2 = documentV2(wholeDocument([everything], parts), info);
const v3 = new Map(
  parts.map((part) => [part.key, documentV3(part, { info, isControlPlane: false })]),
);

function documentOf(version: string) {
  const document = v3.get(`apis/${GROUP}/${version}`);
  assert.ok(document, version);
  return document;
}

function widgetPath(version: string, rest: string): string {
  return `/apis/${GROUP}/${version}/namespaces/{namespace}/widgets/{name}${rest}`;
}

function operationOf(item: PathItemV3 | undefined, method: string): OperationV3 {
  const operation = item?.[method];
  assert.ok(operation && 'operationId' in operation, method);
  return operation;
}

test('the paths of both versions of OpenAPI are the same', () => {
  const inV3 = [...v3.values()].flatMap(({ paths }) => Object.keys(paths));
  assert.deepEqual(Object.keys(v2.paths), inV3.sort());
});

test('operation ids are unique', () => {
  const ids = Object.values(v2.paths).flatMap((item) =>
    Object.values(item).flatMap((one) => ('operationId' in one ? [one.operationId] : [])),
  );
  assert.ok(ids.length > 100);
  assert.equal(new Set(ids).size, ids.length);
});

const operations = [
  {
    rest: '/status',
    method: 'patch',
    id: 'patchEverythingExampleComV1beta1NamespacedWidgetStatus',
    action: 'patch',
    kind: { group: GROUP, version: 'v1beta1', kind: 'Widget' },
    sends: `${META}.Patch`,
    responses: `${NAME}.v1beta1.Widget`,
  },
  {
    rest: '/scale',
    method: 'put',
    id: 'replaceEverythingExampleComV1beta1NamespacedWidgetScale',
    action: 'put',
    kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    sends: 'io.k8s.api.autoscaling.v1.Scale',
    responses: 'io.k8s.api.autoscaling.v1.Scale',
  },
  {
    rest: '/reset',
    method: 'post',
    id: 'createEverythingExampleComV1beta1NamespacedWidgetReset',
    action: 'post',
    kind: { group: GROUP, version: 'v1', kind: 'WidgetReset' },
    sends: `${NAME}.v1.WidgetReset`,
    responses: `${NAME}.v1.WidgetReset`,
  },
  {
    rest: '/paint',
    method: 'post',
    id: 'createEverythingExampleComV1beta1NamespacedWidgetPaint',
    action: 'post',
    kind: { group: GROUP, version: 'v1beta1', kind: 'Widget' },
    sends: `${NAME}.v1beta1.WidgetPaint`,
    responses: `${NAME}.v1beta1.Widget`,
  },
];
for (const { rest, method, id, action, kind, sends, responses } of operations) {
  test(`${method} of ${rest} takes ${sends} and answers ${responses}`, () => {
    const { paths, components } = documentOf('v1beta1');
    const operation = operationOf(paths[widgetPath('v1beta1', rest)], method);
    assert.equal(operation.operationId, id);
    assert.equal(operation['x-kubernetes-action'], action);
    assert.deepEqual(operation['x-kubernetes-group-version-kind'], kind);
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      assert.deepEqual(schema, { $ref: `#/components/schemas/${sends}` });
    }
    for (const { content = {} } of Object.values(operation.responses)) {
      for (const { schema } of Object.values(content)) {
        assert.deepEqual(schema, { $ref: `#/components/schemas/${responses}` });
      }
    }
    assert.ok(components.schemas[sends] && components.schemas[responses]);
  });
}

const connections = [
  {
    rest: '/console',
    methods: ['get', 'post'],
    parameters: ['name', 'namespace'],
    suffix: 'Console',
  },
  {
    rest: '/proxy',
    methods: ['get', 'post', 'put', 'patch', 'delete'],
    parameters: ['name', 'namespace'],
    suffix: 'Proxy',
  },
  {
    rest: '/proxy/{path}',
    methods: ['get', 'post', 'put', 'patch', 'delete'],
    parameters: ['name', 'namespace', 'path'],
    suffix: 'ProxyWithPath',
  },
];
for (const { rest, methods, parameters, suffix } of connections) {
  test(`${rest} is connected to`, () => {
    const item = documentOf('v1').paths[widgetPath('v1', rest)] ?? {};
    const { parameters: common, ...byMethod } = item;
    assert.deepEqual(Object.keys(byMethod), methods);
    assert.ok(Array.isArray(common));
    assert.deepEqual(
      common.map((one: { name: string }) => one.name),
      parameters,
    );
    for (const method of methods) {
      const operation = operationOf(item, method);
      const word = method.slice(0, 1).toUpperCase() + method.slice(1);
      assert.equal(
        operation.operationId,
        `connect${word}EverythingExampleComV1NamespacedWidget${suffix}`,
      );
      assert.equal(operation['x-kubernetes-action'], 'connect');
      assert.equal(operation.requestBody, undefined);
      assert.deepEqual(operation.responses, {
        200: { description: 'OK', content: { '*/*': { schema: { type: 'string' } } } },
      });
    }
    const inV2 = v2.paths[widgetPath('v1', rest)]?.get as OperationV2;
    assert.deepEqual([inV2.consumes, inV2.produces], [['*/*'], ['*/*']]);
    assert.deepEqual(inV2.responses[200], { description: 'OK', schema: { type: 'string' } });
  });
}

const absent = [
  `/apis/${GROUP}/v1/namespaces/{namespace}/widgets/{name}/console/{path}`,
  `/apis/${GROUP}/v1/watch/namespaces/{namespace}/estimates`,
  `/apis/${GROUP}/v1beta1/shelves`,
];
for (const path of absent) {
  test(`${path} is not there`, () => assert.ok(!Object.hasOwn(v2.paths, path)));
}

test('a resource has the operations of its verbs, and answers a delete as it says', () => {
  const { parameters: _, ...shelf } =
    documentOf('v1').paths[`/apis/${GROUP}/v1/shelves/{name}`] ?? {};
  assert.deepEqual(Object.keys(shelf), ['get', 'delete']);
  const response = operationOf(shelf, 'delete').responses[200]?.content?.['application/json'];
  assert.deepEqual(response?.schema, { $ref: `#/components/schemas/${NAME}.v1.Shelf` });
});

test('an action without a schema needs no body', () => {
  const requiredBy = (path: string) =>
    operationOf(documentOf('v1').paths[path], 'post').requestBody?.required;
  assert.equal(requiredBy(`/apis/${GROUP}/v1/shelves/{name}/dust`), undefined);
  assert.equal(requiredBy(widgetPath('v1', '/paint')), true);
});

test('a list can be streamed when it can be watched', () => {
  const typesOf = (resource: string) =>
    Object.keys(
      operationOf(
        documentOf('v1').paths[`/apis/${GROUP}/v1/namespaces/{namespace}/${resource}`],
        'get',
      ).responses[200]?.content ?? {},
    );
  assert.ok(typesOf('widgets').includes('application/json;stream=watch'));
  assert.ok(!typesOf('widgets').includes('application/yaml;stream=watch'));
  assert.deepEqual(
    typesOf('estimates').filter((type) => type.includes('stream')),
    [],
  );
});

test('an action of its own kind is described as one', () => {
  const reset = documentOf('v1').components.schemas[`${NAME}.v1.WidgetReset`];
  assert.deepEqual(reset?.['x-kubernetes-group-version-kind'], [
    { group: GROUP, kind: 'WidgetReset', version: 'v1' },
  ]);
  assert.deepEqual(Object.keys(reset?.properties ?? {}), [
    'apiVersion',
    'kind',
    'metadata',
    'colour',
    'reason',
  ]);
  const paint = documentOf('v1').components.schemas[`${NAME}.v1.WidgetPaint`];
  assert.deepEqual(Object.keys(paint?.properties ?? {}), ['colour']);
  assert.equal(paint?.['x-kubernetes-group-version-kind'], undefined);
});

const selectable = [
  { version: 'v1', want: ['spec.colour', 'spec.replicas', 'status.phase'] },
  { version: 'v1beta1', want: ['spec.appearance.colour'] },
  { version: 'v1alpha1', want: undefined },
];
for (const { version, want } of selectable) {
  test(`selectable fields of ${version}: ${want?.join(', ') ?? 'none'}`, () => {
    const { schemas } = documentOf(version).components;
    for (const kind of ['Widget', 'WidgetList']) {
      assert.deepEqual(
        schemas[`${NAME}.${version}.${kind}`]?.['x-kubernetes-selectable-fields'],
        want?.map((fieldPath) => ({ fieldPath })),
      );
    }
  });
}

/** A field in each version; version 2 omits types that it cannot express. */
const fields: readonly {
  field: string;
  inV3: Record<string, unknown>;
  inV2: Record<string, unknown>;
}[] = [
  {
    field: 'colour',
    inV3: { type: 'string', enum: ['red', 'green', 'blue'], default: 'red' },
    inV2: { type: 'string', enum: ['red', 'green', 'blue'], default: undefined },
  },
  {
    field: 'size',
    inV3: {
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      type: undefined,
    },
    inV2: { 'x-kubernetes-int-or-string': true, anyOf: undefined, type: undefined },
  },
  {
    field: 'ports',
    inV3: {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      maxItems: 16,
    },
    inV2: {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      type: 'array',
    },
  },
  {
    field: 'tags',
    inV3: { 'x-kubernetes-list-type': 'set' },
    inV2: { 'x-kubernetes-list-type': 'set', items: { type: 'string', minLength: 1 } },
  },
  {
    field: 'steps',
    inV3: { 'x-kubernetes-list-type': 'atomic' },
    inV2: { 'x-kubernetes-list-type': 'atomic' },
  },
  {
    field: 'parts',
    inV3: { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' },
    inV2: { 'x-kubernetes-patch-strategy': 'merge', 'x-kubernetes-patch-merge-key': 'name' },
  },
  {
    field: 'limits',
    inV3: { 'x-kubernetes-map-type': 'granular', additionalProperties: { type: 'string' } },
    inV2: { 'x-kubernetes-map-type': 'granular', additionalProperties: { type: 'string' } },
  },
  {
    field: 'origin',
    inV3: { 'x-kubernetes-map-type': 'atomic', required: ['kind', 'name'] },
    inV2: { 'x-kubernetes-map-type': 'atomic', required: ['kind', 'name'] },
  },
  { field: 'placement', inV3: { default: {} }, inV2: { default: undefined, type: 'object' } },
  {
    field: 'note',
    inV3: { type: 'string', nullable: true },
    inV2: { type: undefined, nullable: undefined },
  },
  {
    field: 'serial',
    inV3: { type: 'integer', format: 'int64' },
    inV2: { type: 'integer', format: 'int64' },
  },
  { field: 'seal', inV3: { format: 'byte' }, inV2: { format: 'byte' } },
  { field: 'notBefore', inV3: { format: 'date-time' }, inV2: { format: 'date-time' } },
  {
    field: 'extra',
    inV3: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    inV2: { type: undefined, 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    field: 'settings',
    inV3: { properties: { level: { type: 'integer', format: 'int32', default: 1 } } },
    inV2: { properties: undefined, type: undefined },
  },
  {
    field: 'template',
    inV3: { 'x-kubernetes-embedded-resource': true, required: ['kind', 'apiVersion'] },
    inV2: { 'x-kubernetes-embedded-resource': true, properties: undefined },
  },
  {
    field: 'companion',
    inV3: { 'x-kubernetes-embedded-resource': true, required: ['kind', 'apiVersion'] },
    inV2: { 'x-kubernetes-embedded-resource': true, required: ['kind', 'apiVersion'] },
  },
];
for (const { field, inV3, inV2 } of fields) {
  test(`${field} is described as custom resources describe it`, () => {
    const name = `${NAME}.v1.Widget`;
    const three = fieldOf(documentOf('v1').components.schemas[name], field);
    const two = fieldOf(v2.definitions[name], field);
    for (const [keyword, want] of Object.entries(inV3))
      assert.deepEqual(three[keyword], want, keyword);
    for (const [keyword, want] of Object.entries(inV2))
      assert.deepEqual(two[keyword], want, keyword);
  });
}

function fieldOf(kind: SchemaObject | undefined, field: string): Record<string, unknown> {
  const schema = kind?.properties?.spec?.properties?.[field];
  assert.ok(schema, field);
  return { ...schema };
}

test('an embedded object has metadata like any other', () => {
  const spec = documentOf('v1').components.schemas[`${NAME}.v1.Widget`]?.properties?.spec;
  const { apiVersion, kind, metadata, spec: inner } = spec?.properties?.companion?.properties ?? {};
  assert.deepEqual([apiVersion?.type, kind?.type, inner?.type], ['string', 'string', 'object']);
  assert.deepEqual(metadata?.allOf, [{ $ref: `#/components/schemas/${META}.ObjectMeta` }]);
});

test('every version has its own definitions, and version 2 has all of them', () => {
  for (const version of everything.versions) {
    const { schemas } = documentOf(version).components;
    const widgets = Object.keys(schemas).filter((name) => name.endsWith('.Widget'));
    assert.deepEqual(widgets, [`${NAME}.${version}.Widget`]);
    assert.ok(v2.definitions[`${NAME}.${version}.Widget`]);
  }
});

test('shared parameters are written once, and every reference finds its own', () => {
  const references = JSON.stringify(v2.paths).matchAll(/"\$ref":"#\/parameters\/([^"]+)"/g);
  const used = new Set([...references].map(([, name]) => name));
  assert.deepEqual([...used].sort(), Object.keys(v2.parameters));
  for (const [name, parameter] of Object.entries(v2.parameters)) {
    assert.match(name, new RegExp(`^${parameter.name}-[A-Za-z0-9_-]{8}$`));
    assert.ok(!['name', 'dryRun', 'fieldValidation'].includes(parameter.name));
  }
});
