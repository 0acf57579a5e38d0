import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import Type from 'typebox';
import type { ApiDefinition } from '../definition/api.ts';
import { defineResource, type ResourceDefinition, resourceVerbs } from '../definition/resource.ts';
import { version } from '../definition/version.ts';
import { anonymous } from '../request/authenticator.ts';
import { Cancellation } from '../request/cancellation.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { RequestHeaders } from '../request/request-headers.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { Warnings } from '../request/warnings.ts';
import { type DiscoveryOptions, discoveryHandler } from './discovery-handler.ts';

const SORTED = [...resourceVerbs].sort();
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const AGGREGATED_BETA = AGGREGATED.replace('v=v2', 'v=v2beta1');

const flunder = defineResource({
  kind: 'Flunder',
  plural: 'flunders',
  shortNames: ['fl'],
  categories: ['all'],
  scope: 'Namespaced',
  versions: { v1alpha1: version({ spec: Type.Object({}) }) },
});
const fischer = defineResource({
  kind: 'Fischer',
  plural: 'fischers',
  scope: 'Cluster',
  versions: { v1alpha1: version({}) },
});

/** Flunder in two versions, Fischer in one, stored as the older one. */
const wardle: ApiDefinition = {
  group: 'wardle.example.com',
  versions: ['v1beta1', 'v1alpha1'],
  resources: [withVersion(flunder, 'v1beta1'), fischer],
};
const options: DiscoveryOptions = {};

test('/apis lists groups and versions, the preferred one first, without an apiVersion', () => {
  assert.deepEqual(body(get('/apis')), {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'wardle.example.com',
        versions: [
          { groupVersion: 'wardle.example.com/v1beta1', version: 'v1beta1' },
          { groupVersion: 'wardle.example.com/v1alpha1', version: 'v1alpha1' },
        ],
        preferredVersion: { groupVersion: 'wardle.example.com/v1beta1', version: 'v1beta1' },
      },
    ],
  });
});

test('a known address is given to clients of every network', () => {
  let address: string | undefined;
  const handler = discoveryHandler([wardle], { serverAddress: () => address });
  const served = () => {
    const { groups } = body(response(handler(request('GET', '/apis', {})))) as {
      groups: Record<string, unknown>[];
    };
    return groups[0]?.serverAddressByClientCIDRs;
  };
  assert.equal(served(), undefined);
  address = 'api:6443';
  assert.deepEqual(served(), [{ clientCIDR: '0.0.0.0/0', serverAddress: 'api:6443' }]);
});

test('/apis/G is one group', () => {
  const group = body(get('/apis/wardle.example.com')) as Record<string, unknown>;
  assert.equal(group.kind, 'APIGroup');
  assert.equal(group.apiVersion, 'v1');
  assert.equal(group.name, 'wardle.example.com');
});

test('/apis/G/V lists resources by name, with the hash of the version they are stored in', () => {
  assert.deepEqual(body(get('/apis/wardle.example.com/v1alpha1')), {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'wardle.example.com/v1alpha1',
    resources: [
      {
        name: 'fischers',
        singularName: 'fischer',
        namespaced: false,
        kind: 'Fischer',
        verbs: SORTED,
        storageVersionHash: 'YS5qRiSxzNM=',
      },
      {
        name: 'flunders',
        singularName: 'flunder',
        namespaced: true,
        kind: 'Flunder',
        verbs: SORTED,
        shortNames: ['fl'],
        categories: ['all'],
        storageVersionHash: 'UHqNx5H3K7A=',
      },
    ],
  });
  const beta = body(get('/apis/wardle.example.com/v1beta1')) as {
    resources: { name: string; storageVersionHash: string }[];
  };
  assert.deepEqual(
    beta.resources.map(({ name, storageVersionHash }) => [name, storageVersionHash]),
    [['flunders', 'UHqNx5H3K7A=']],
  );
});

test('what is not served is not listed', () => {
  const some: ApiDefinition = {
    ...wardle,
    resources: [
      { ...flunder, verbs: ['list', 'get'] },
      { ...fischer, verbs: [] },
    ],
  };
  const { resources } = body(get('/apis/wardle.example.com/v1alpha1', {}, options, [some])) as {
    resources: { name: string; verbs: string[] }[];
  };
  assert.deepEqual(
    resources.map(({ name, verbs }) => [name, verbs]),
    [['flunders', ['get', 'list']]],
  );
});

test('the aggregated document has everything, groups by name', () => {
  const other: ApiDefinition = { ...wardle, group: 'a.example.com', versions: ['v1alpha1'] };
  const response = get('/apis', { Accept: AGGREGATED }, options, [wardle, other]);
  assert.equal(response.contentType, AGGREGATED);
  assert.deepEqual(header(response, 'Vary'), ['Accept']);
  assert.deepEqual(header(response, 'Cache-Control'), ['public']);
  assert.match(header(response, 'ETag')[0] ?? '', /^"[0-9A-F]{128}"$/);
  const list = body(response) as {
    items: { metadata: { name: string }; versions: { version: string }[] }[];
  };
  assert.deepEqual(
    list.items.map(({ metadata, versions }) => [metadata.name, versions.map((one) => one.version)]),
    [
      ['a.example.com', ['v1alpha1']],
      ['wardle.example.com', ['v1beta1', 'v1alpha1']],
    ],
  );
  assert.deepEqual(list.items[1]?.versions[0], {
    version: 'v1beta1',
    resources: [
      {
        resource: 'flunders',
        responseKind: { group: '', version: '', kind: 'Flunder' },
        scope: 'Namespaced',
        singularResource: 'flunder',
        verbs: SORTED,
        shortNames: ['fl'],
        categories: ['all'],
      },
    ],
    freshness: 'Current',
  });
});

const negotiations = [
  { name: 'no wish', accept: undefined, kind: 'APIGroupList' },
  { name: 'anything', accept: '*/*', kind: 'APIGroupList' },
  { name: 'plain JSON', accept: 'application/json', kind: 'APIGroupList' },
  { name: 'v2', accept: AGGREGATED, kind: 'APIGroupDiscoveryList' },
  { name: 'v2beta1', accept: AGGREGATED_BETA, kind: 'APIGroupDiscoveryList' },
  {
    name: 'a later aggregated clause wins over plain JSON',
    accept: `application/json,${AGGREGATED}`,
    kind: 'APIGroupDiscoveryList',
  },
  {
    name: 'an unknown version is passed over',
    accept: `${AGGREGATED.replace('v=v2', 'v=v3')},application/json`,
    kind: 'APIGroupList',
  },
  {
    name: 'an unknown group is passed over',
    accept: `${AGGREGATED.replace('apidiscovery', 'other')},application/json`,
    kind: 'APIGroupList',
  },
  { name: 'unknown parameters are ignored', accept: 'application/json;a=b', kind: 'APIGroupList' },
  {
    name: 'a profile is accepted',
    accept: `${AGGREGATED};profile=nopeer`,
    kind: 'APIGroupDiscoveryList',
  },
];
for (const { name, accept, kind } of negotiations) {
  test(`/apis: ${name}`, () => {
    const response = get('/apis', accept === undefined ? {} : { Accept: accept });
    assert.equal((body(response) as { kind: string }).kind, kind);
  });
}

test('an aggregated version that is switched off is not recognised', () => {
  const only = { ...options, aggregatedVersions: ['v2'] } as const;
  assertFails(() => get('/apis', { Accept: AGGREGATED_BETA }, only), 406);
});

test('only the two roots have an aggregated form', () => {
  assertFails(() => get('/apis/wardle.example.com', { Accept: AGGREGATED }), 406);
});

const conditions = [
  { name: 'the same tag', change: (tag: string) => tag, code: 304 },
  { name: 'a weak tag', change: (tag: string) => `W/${tag}`, code: 200 },
  { name: 'a list with the tag', change: (tag: string) => `"x", ${tag}`, code: 200 },
  { name: 'the wildcard', change: () => '*', code: 200 },
];
for (const { name, change, code } of conditions) {
  test(`If-None-Match on the aggregated document: ${name} is ${code}`, () => {
    const [tag = ''] = header(get('/apis', { Accept: AGGREGATED }), 'ETag');
    const again = get('/apis', { Accept: AGGREGATED, 'If-None-Match': change(tag) });
    assert.equal(again.code, code);
    assert.deepEqual(header(again, 'ETag'), [tag]);
    if (code === 304) assert.equal(bytes(again).length, 0);
  });
}

test('the tag follows the content', () => {
  const other: ApiDefinition = { ...wardle, resources: [{ ...flunder, verbs: ['get'] }] };
  const tags = [wardle, other].map((api) =>
    header(get('/apis', { Accept: AGGREGATED }, options, [api]), 'ETag'),
  );
  assert.notDeepEqual(tags[0], tags[1]);
});

const paths = [
  { path: '/apis/', found: true },
  { path: '/apis/wardle.example.com/', found: true },
  { path: '/apis/wardle.example.com/v1alpha1//', found: true },
  { path: '/', found: false },
  { path: '/api', found: false },
  { path: '/api/v1', found: false },
  { path: '/apis/other.example.com', found: false },
  { path: '/apis/other.example.com/v1', found: false },
  { path: '/apis/wardle.example.com/v1alpha1/flunders', found: false },
  { path: `/apis${'/'.repeat(16_000)}x`, found: false },
];
for (const { path, found } of paths) {
  test(`${path.slice(0, 60)} is ${found ? 'ours' : 'left to others'}`, () => {
    const response = discoveryHandler([wardle], options)(request('GET', path, {}));
    assert.equal(response !== undefined, found);
  });
}

test('a version that a served group does not have is not found', () => {
  assertFails(() => get('/apis/wardle.example.com/v9'), 404);
});

test('discovery is read with GET only', () => {
  const handler = discoveryHandler([wardle], options);
  for (const method of ['POST', 'HEAD', 'OPTIONS']) {
    assertFails(() => handler(request(method, '/apis', {})), 405);
  }
});

test('people get indented JSON, programs get one line', () => {
  const plain = Buffer.from(bytes(get('/apis'))).toString();
  const pretty = Buffer.from(bytes(get('/apis?pretty=true'))).toString();
  assert.equal(plain.trimEnd().split('\n').length, 1);
  assert.ok(plain.endsWith('\n'));
  assert.equal(pretty, JSON.stringify(JSON.parse(plain), null, 2));
});

test('the same bytes are sent every time', () => {
  const handler = discoveryHandler([wardle], options);
  const once = () => bytes(response(handler(request('GET', '/apis', {}))));
  assert.equal(once(), once());
});

test('a core group is served at /api', () => {
  const core: ApiDefinition = { ...wardle, group: '', versions: ['v1alpha1'] };
  const at = (path: string, headers: Record<string, string> = {}) =>
    body(get(path, headers, options, [core, wardle])) as Record<string, unknown>;
  assert.deepEqual(at('/api'), { kind: 'APIVersions', versions: ['v1alpha1'] });
  assert.equal(at('/api/v1alpha1').groupVersion, 'v1alpha1');
  assert.equal((at('/apis').groups as unknown[]).length, 1);
  const [item] = at('/api', { Accept: AGGREGATED }).items as { metadata: object }[];
  assert.deepEqual(item?.metadata, {});
});

function withVersion(resource: ResourceDefinition, name: string): ResourceDefinition {
  const [definition] = resource.versions.values();
  assert.ok(definition);
  return { ...resource, versions: new Map([...resource.versions, [name, definition]]) };
}

function get(
  path: string,
  headers: Record<string, string> = {},
  handlerOptions = options,
  apis: readonly ApiDefinition[] = [wardle],
): BytesResponse {
  return response(discoveryHandler(apis, handlerOptions)(request('GET', path, headers)));
}

type BytesResponse = ApiResponse & { kind: 'bytes' };

function response(response: ApiResponse | undefined): BytesResponse {
  assert.equal(response?.kind, 'bytes');
  return response;
}

function bytes({ chunks }: BytesResponse): Uint8Array {
  const [chunk = new Uint8Array(), ...rest] = chunks;
  assert.equal(rest.length, 0);
  return chunk;
}

function body(response: BytesResponse): unknown {
  assert.equal(response.code, 200);
  return JSON.parse(Buffer.from(bytes(response)).toString());
}

function header({ headers }: ApiResponse, name: string): string[] {
  return (headers ?? []).filter(([candidate]) => candidate === name).map(([, value]) => value);
}

function assertFails(run: () => unknown, code: number): void {
  assert.throws(run, (error) => error instanceof StatusError && error.code === code);
}

function request(method: string, target: string, headers: Record<string, string>): ApiRequest {
  const [path = '', search = ''] = target.split('?');
  const query = new URLSearchParams(search);
  return {
    method,
    path,
    query,
    headers: new RequestHeaders(Object.entries(headers).flat()),
    peer: { address: '127.0.0.1', certificate: undefined },
    info: parseRequestInfo(method, path.slice(0, 200), query),
    user: anonymous,
    warnings: new Warnings(),
    cancellation: new Cancellation(),
    body: async () => new Uint8Array(),
    bodyStream: () => Readable.from([]),
  };
}
