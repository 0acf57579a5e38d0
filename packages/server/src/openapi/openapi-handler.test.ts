import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { manualClock } from '@tributary/storage';
import Type from 'typebox';
import { type ApiDefinition, defineApi } from '../definition/api.ts';
import { defineResource, type ResourceVerb } from '../definition/resource.ts';
import { version } from '../definition/version.ts';
import { anonymous } from '../request/authenticator.ts';
import { Cancellation } from '../request/cancellation.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import { RequestHeaders } from '../request/request-headers.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { Warnings } from '../request/warnings.ts';
import { lazyOpenApiHandler, type OpenApiOptions, openApiHandler } from './openapi-handler.ts';

const PATCHES = ['application/merge-patch+json', 'application/apply-patch+yaml'];
const GROUP_VERSION = 'apis/wardle.example.com/v1alpha1';
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

const flunder = defineResource({
  kind: 'Flunder',
  plural: 'flunders',
  scope: 'Namespaced',
  versions: {
    v1alpha1: version({
      description: 'An example.',
      spec: Type.Object({ reference: Type.Optional(Type.String({ default: 'x' })) }),
      status: Type.Object({}),
    }),
  },
  subresources: {
    status: true,
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    actions: {
      token: {
        kind: { group: 'elsewhere.example.com', version: 'v1', kind: 'Token' },
        run: async () => undefined,
      },
    },
  },
});
const fischer = defineResource({
  kind: 'Fischer',
  plural: 'fischers',
  scope: 'Cluster',
  versions: { v1alpha1: version({ fields: { disallowedFlunders: Type.Array(Type.String()) } }) },
});
const wardle = defineApi({ group: 'wardle.example.com', resources: [flunder, fischer] });

const clock = manualClock();
const options: OpenApiOptions = {
  clock,
  info: { title: 'Wardle', version: '0.1' },
  patchTypes: PATCHES,
};
const handler = openApiHandler([wardle], options);

const namespaced = `/${GROUP_VERSION}/namespaces/{namespace}/flunders`;
const cluster = `/${GROUP_VERSION}/fischers`;
const operations = [
  { path: '/apis/', get: 'getAPIVersions' },
  { path: '/apis/wardle.example.com/', get: 'getWardleExampleComAPIGroup' },
  { path: `/${GROUP_VERSION}/`, get: 'getWardleExampleComV1alpha1APIResources' },
  {
    path: cluster,
    get: 'listWardleExampleComV1alpha1Fischer',
    post: 'createWardleExampleComV1alpha1Fischer',
    delete: 'deleteWardleExampleComV1alpha1CollectionFischer',
  },
  {
    path: `${cluster}/{name}`,
    get: 'readWardleExampleComV1alpha1Fischer',
    put: 'replaceWardleExampleComV1alpha1Fischer',
    patch: 'patchWardleExampleComV1alpha1Fischer',
    delete: 'deleteWardleExampleComV1alpha1Fischer',
  },
  {
    path: `/${GROUP_VERSION}/flunders`,
    get: 'listWardleExampleComV1alpha1FlunderForAllNamespaces',
  },
  {
    path: namespaced,
    get: 'listWardleExampleComV1alpha1NamespacedFlunder',
    post: 'createWardleExampleComV1alpha1NamespacedFlunder',
    delete: 'deleteWardleExampleComV1alpha1CollectionNamespacedFlunder',
  },
  {
    path: `${namespaced}/{name}`,
    get: 'readWardleExampleComV1alpha1NamespacedFlunder',
    put: 'replaceWardleExampleComV1alpha1NamespacedFlunder',
    patch: 'patchWardleExampleComV1alpha1NamespacedFlunder',
    delete: 'deleteWardleExampleComV1alpha1NamespacedFlunder',
  },
  {
    path: `${namespaced}/{name}/scale`,
    get: 'readWardleExampleComV1alpha1NamespacedFlunderScale',
    put: 'replaceWardleExampleComV1alpha1NamespacedFlunderScale',
    patch: 'patchWardleExampleComV1alpha1NamespacedFlunderScale',
  },
  {
    path: `${namespaced}/{name}/status`,
    get: 'readWardleExampleComV1alpha1NamespacedFlunderStatus',
    put: 'replaceWardleExampleComV1alpha1NamespacedFlunderStatus',
    patch: 'patchWardleExampleComV1alpha1NamespacedFlunderStatus',
  },
  {
    path: `${namespaced}/{name}/token`,
    post: 'createWardleExampleComV1alpha1NamespacedFlunderToken',
  },
  {
    path: `/${GROUP_VERSION}/watch/fischers`,
    get: 'watchWardleExampleComV1alpha1FischerList',
  },
  {
    path: `/${GROUP_VERSION}/watch/fischers/{name}`,
    get: 'watchWardleExampleComV1alpha1Fischer',
  },
  {
    path: `/${GROUP_VERSION}/watch/flunders`,
    get: 'watchWardleExampleComV1alpha1FlunderListForAllNamespaces',
  },
  {
    path: `/${GROUP_VERSION}/watch/namespaces/{namespace}/flunders`,
    get: 'watchWardleExampleComV1alpha1NamespacedFlunderList',
  },
  {
    path: `/${GROUP_VERSION}/watch/namespaces/{namespace}/flunders/{name}`,
    get: 'watchWardleExampleComV1alpha1NamespacedFlunder',
  },
  { path: '/version/', get: 'getCodeVersion' },
];

test('version 2 has every path, and operation ids as upstream has them', () => {
  assert.deepEqual(idsOf(document('/openapi/v2')), operations);
});

test('version 3 has the same paths, in several documents', () => {
  const keys = ['apis', 'apis/wardle.example.com', GROUP_VERSION, 'version'];
  const parts = keys.map((key) => document(`/openapi/v3/${key}`));
  assert.deepEqual(parts.flatMap(idsOf), operations);
  assert.deepEqual(Object.keys(indexPaths()), keys);
});

const described = [
  {
    path: namespaced,
    method: 'get',
    action: 'list',
    definition: 'com.example.wardle.v1alpha1.FlunderList',
  },
  {
    path: namespaced,
    method: 'post',
    action: 'post',
    definition: 'com.example.wardle.v1alpha1.Flunder',
  },
  { path: namespaced, method: 'delete', action: 'deletecollection', definition: `${META}.Status` },
  {
    path: `${cluster}/{name}`,
    method: 'get',
    action: 'get',
    definition: 'com.example.wardle.v1alpha1.Fischer',
  },
  {
    path: `${cluster}/{name}`,
    method: 'put',
    action: 'put',
    definition: 'com.example.wardle.v1alpha1.Fischer',
  },
  {
    path: `${cluster}/{name}`,
    method: 'patch',
    action: 'patch',
    definition: 'com.example.wardle.v1alpha1.Fischer',
  },
  { path: `${cluster}/{name}`, method: 'delete', action: 'delete', definition: `${META}.Status` },
  {
    path: `${namespaced}/{name}/status`,
    method: 'put',
    action: 'put',
    definition: 'com.example.wardle.v1alpha1.Flunder',
  },
  {
    path: `${namespaced}/{name}/scale`,
    method: 'get',
    action: 'get',
    definition: 'io.k8s.api.autoscaling.v1.Scale',
  },
  {
    path: `/${GROUP_VERSION}/watch/fischers`,
    method: 'get',
    action: 'watchlist',
    definition: `${META}.WatchEvent`,
  },
  {
    path: `/${GROUP_VERSION}/watch/fischers/{name}`,
    method: 'get',
    action: 'watch',
    definition: `${META}.WatchEvent`,
  },
] as const;
for (const { path, method, action, definition } of described) {
  test(`${action} of ${path} returns ${definition}`, () => {
    const operation = operationOf(document('/openapi/v2'), path, method);
    assert.equal(operation['x-kubernetes-action'], action);
    const kind = path.includes('fischers') ? 'Fischer' : 'Flunder';
    const own = { group: 'wardle.example.com', version: 'v1alpha1', kind };
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    assert.deepEqual(
      operation['x-kubernetes-group-version-kind'],
      path.endsWith('/scale') ? scale : own,
    );
    assert.deepEqual(operation.responses[200], {
      description: 'OK',
      schema: { $ref: `#/definitions/${definition}` },
    });
    const { responses } = operationOf(document(`/openapi/v3/${GROUP_VERSION}`), path, method);
    assert.deepEqual(responses[200]?.content?.['application/json'], {
      schema: { $ref: `#/components/schemas/${definition}` },
    });
  });
}

test('kubectl finds dryRun and fieldValidation on a patch, and the patches that exist', () => {
  const path = `${namespaced}/{name}`;
  const v2 = operationOf(document('/openapi/v2'), path, 'patch');
  assert.deepEqual(v2.consumes, PATCHES);
  assert.deepEqual(
    v2.parameters?.map(({ name, $ref = name }) => $ref.replace(/-.{8}$/, '-*')),
    [
      '#/parameters/body-*',
      'dryRun',
      '#/parameters/fieldManager-*',
      'fieldValidation',
      '#/parameters/force-*',
    ],
  );
  const v3 = operationOf(document(`/openapi/v3/${GROUP_VERSION}`), path, 'patch');
  assert.deepEqual(Object.keys(v3.requestBody?.content ?? {}), PATCHES);
  assert.deepEqual(
    v3.parameters?.map(({ name }) => name),
    ['dryRun', 'fieldManager', 'fieldValidation', 'force'],
  );
});

test('an apply can create, other patches cannot', () => {
  const patchOf = (patchTypes: readonly string[]) => {
    const own = openApiHandler([wardle], { ...options, patchTypes });
    return operationOf(document('/openapi/v2', own), `${cluster}/{name}`, 'patch');
  };
  assert.deepEqual(Object.keys(patchOf(PATCHES).responses), ['200', '201', '401']);
  assert.deepEqual(Object.keys(patchOf(PATCHES.slice(0, 1)).responses), ['200', '401']);
});

test('what is not served is not described', () => {
  const readOnly = openApiHandler([withVerbs(['get', 'list', 'patch'])], {
    ...options,
    patchTypes: [],
  });
  const ids = idsOf(document(`/openapi/v3/${GROUP_VERSION}`, readOnly));
  assert.deepEqual(
    ids.map(({ path, ...methods }) => [path, Object.keys(methods)]),
    [
      [`/${GROUP_VERSION}/`, ['get']],
      [cluster, ['get']],
      [`${cluster}/{name}`, ['get']],
      [`/${GROUP_VERSION}/flunders`, ['get']],
      [namespaced, ['get']],
      [`${namespaced}/{name}`, ['get']],
    ],
  );
  const { schemas } = document(`/openapi/v3/${GROUP_VERSION}`, readOnly).components ?? {};
  assert.equal(schemas?.[`${META}.DeleteOptions`], undefined);
});

test('a kind is described by its schema, next to metadata, and says what it is', () => {
  const { definitions = {} } = document('/openapi/v2');
  const definition = definitions['com.example.wardle.v1alpha1.Flunder'];
  assert.deepEqual(definition?.['x-kubernetes-group-version-kind'], [
    { group: 'wardle.example.com', kind: 'Flunder', version: 'v1alpha1' },
  ]);
  assert.equal(definition?.description, 'An example.');
  const { metadata, spec, status } = definition?.properties ?? {};
  assert.equal(metadata?.$ref, `#/definitions/${META}.ObjectMeta`);
  assert.deepEqual(spec, { type: 'object', properties: { reference: { type: 'string' } } });
  assert.deepEqual(status, { type: 'object' });
  const list = definitions['com.example.wardle.v1alpha1.FlunderList'];
  assert.deepEqual(list?.required, ['items']);
});

test('types of every group version list all in version 2, and their own in version 3', () => {
  const group = 'other.example.com';
  const other: ApiDefinition = { ...wardle, group };
  const own = openApiHandler([wardle, other], options);
  const name = `${META}.DeleteOptions`;
  const kind = 'DeleteOptions';
  const core = { group: '', kind, version: 'v1' };
  const all = document('/openapi/v2', own).definitions?.[name];
  assert.deepEqual(all?.['x-kubernetes-group-version-kind'], [
    core,
    { group, kind, version: 'v1alpha1' },
    { group: 'wardle.example.com', kind, version: 'v1alpha1' },
  ]);
  const one = document(`/openapi/v3/apis/${group}/v1alpha1`, own).components?.schemas[name];
  assert.deepEqual(one?.['x-kubernetes-group-version-kind'], [
    core,
    { group, kind, version: 'v1alpha1' },
  ]);
});

test('a schema that refers to nothing is the author’s mistake, told at once', () => {
  const broken = defineApi({
    group: 'a.example.com',
    resources: [
      defineResource({
        kind: 'A',
        plural: 'as',
        scope: 'Cluster',
        versions: { v1: version({ spec: Type.Object({ b: Type.Ref('Missing') }) }) },
      }),
    ],
  });
  assert.throws(
    () => openApiHandler([broken], options),
    /^Error: A: its schema refers to com\.example\.a\.v1\.AMissing, which it does not define$/,
  );
});

const PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const acceptances = [
  { accept: undefined, contentType: 'application/json' },
  { accept: '*/*', contentType: 'application/json' },
  { accept: 'application/*', contentType: 'application/json' },
  { accept: 'application/json;a=b', contentType: 'application/json' },
  { accept: 'text/html, application/json', contentType: 'application/json' },
  { accept: PROTOBUF, contentType: PROTOBUF },
  { accept: PROTOBUF.replace('v2.v1', 'v2@v1'), contentType: PROTOBUF },
  { accept: `application/json;q=0.1,${PROTOBUF}`, contentType: PROTOBUF },
];
for (const { accept, contentType } of acceptances) {
  test(`/openapi/v2 accepting ${accept ?? 'nothing in particular'} is ${contentType}`, () => {
    const response = get('/openapi/v2', accept === undefined ? {} : { Accept: accept });
    assert.equal(response.contentType, contentType);
    assert.deepEqual(header(response, 'Vary'), ['Accept-Encoding', 'Accept']);
    assert.deepEqual(header(response, 'ETag'), header(get('/openapi/v2'), 'ETag'));
  });
}
for (const accept of ['application/yaml', 'text/html', PROTOBUF.replace('protobuf', 'json')]) {
  test(`/openapi/v2 accepting ${accept} only is 406`, () => {
    assert.throws(
      () => get('/openapi/v2', { Accept: accept }),
      (error) => error instanceof StatusError && error.code === 406,
    );
  });
}

test('the index of version 3 does not look at Accept', () => {
  const response = get('/openapi/v3', { Accept: 'text/html' });
  assert.equal(response.contentType, 'application/json');
  assert.deepEqual(header(response, 'Vary'), []);
});

const conditions = [
  { name: 'its tag', headers: (tag: string) => ({ 'If-None-Match': tag }), code: 304 },
  { name: 'a weak tag', headers: (tag: string) => ({ 'If-None-Match': `W/${tag}` }), code: 304 },
  { name: 'a list', headers: (tag: string) => ({ 'If-None-Match': `"x", ${tag}` }), code: 304 },
  { name: 'the wildcard', headers: () => ({ 'If-None-Match': '*' }), code: 304 },
  { name: 'another tag', headers: () => ({ 'If-None-Match': '"x"' }), code: 200 },
  {
    name: 'its date',
    headers: () => ({ 'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:20 GMT' }),
    code: 304,
  },
  {
    name: 'an earlier date',
    headers: () => ({ 'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' }),
    code: 200,
  },
  { name: 'no date', headers: () => ({ 'If-Modified-Since': 'yesterday' }), code: 200 },
  {
    name: 'another tag with its date',
    headers: () => ({
      'If-None-Match': '"x"',
      'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:20 GMT',
    }),
    code: 200,
  },
];
for (const path of ['/openapi/v2', '/openapi/v3', `/openapi/v3/${GROUP_VERSION}`]) {
  for (const { name, headers, code } of conditions) {
    test(`${path} with ${name} is ${code}`, () => {
      const [tag = ''] = header(get(path), 'ETag');
      const response = get(path, headers(tag));
      assert.equal(response.code, code);
      assert.deepEqual(header(response, 'ETag'), [tag]);
      assert.equal(bytes(response).length === 0, code === 304);
      assert.deepEqual(
        header(response, 'Last-Modified'),
        code === 304 ? [] : ['Tue, 14 Nov 2023 22:13:20 GMT'],
      );
    });
  }
}

test('a download that broke off can go on', () => {
  const whole = bytes(get('/openapi/v2'));
  const rest = get('/openapi/v2', { Range: 'bytes=10-' });
  assert.equal(rest.code, 206);
  assert.deepEqual(header(rest, 'Content-Range'), [`bytes 10-${whole.length - 1}/${whole.length}`]);
  assert.deepEqual(header(rest, 'Accept-Ranges'), ['bytes']);
  assert.deepEqual(bytes(rest), whole.subarray(10));
  assert.equal(get('/openapi/v2', { Range: `bytes=${whole.length}-` }).code, 200);
});

test('an address with the hash in it can be kept for a year', () => {
  const [url = ''] = Object.values(indexPaths());
  assert.match(url, /^\/openapi\/v3\/apis\?hash=[0-9A-F]{128}$/);
  const response = get(url);
  assert.equal(response.code, 200);
  assert.deepEqual(header(response, 'Cache-Control'), ['public, immutable']);
  assert.deepEqual(header(response, 'Expires'), ['Wed, 13 Nov 2024 22:13:20 GMT']);
});

test('an address with another hash leads to the present one', () => {
  const response = get(`/openapi/v3/${GROUP_VERSION}?timeout=32s&hash=OLD`);
  assert.equal(response.code, 301);
  assert.deepEqual(header(response, 'Location'), [indexPaths()[GROUP_VERSION]]);
  assert.equal(bytes(response).length, 0);
});

test('an address without a hash, or with an empty one, is not kept', () => {
  for (const query of ['', '?hash=']) {
    const response = get(`/openapi/v3/${GROUP_VERSION}${query}`);
    assert.equal(response.code, 200);
    assert.deepEqual(header(response, 'Cache-Control'), []);
  }
});

for (const path of [
  '/openapi',
  '/openapi/v2/',
  '/openapi/v3/',
  '/openapi/v3/apis/other',
  '/apis',
]) {
  test(`${path} is left to others`, () => {
    assert.equal(handler(request(path, {})), undefined);
  });
}

test('the same bytes are sent every time', () => {
  assert.equal(bytes(get('/openapi/v2')), bytes(get('/openapi/v2')));
});

interface Schema {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Record<string, Schema>;
  readonly required?: string[];
  readonly 'x-kubernetes-group-version-kind'?: unknown;
}

interface OperationForm {
  readonly operationId: string;
  readonly consumes?: string[];
  readonly parameters?: { name: string; $ref?: string }[];
  readonly requestBody?: { content: Record<string, unknown> };
  readonly responses: Record<number, { content?: Record<string, unknown> }>;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: unknown;
}

interface OpenApiDocument {
  readonly paths: Record<string, Record<string, OperationForm>>;
  readonly definitions?: Record<string, Schema>;
  readonly components?: { schemas: Record<string, Schema> };
}

test('documents that are made when first asked for are the same, and are made once', async () => {
  const lazy = lazyOpenApiHandler([wardle], options);
  const paths = ['/openapi/v2', '/openapi/v3', `/openapi/v3/${GROUP_VERSION}`, '/openapi/v3/other'];
  for (const path of paths) {
    const asked = request(path, {});
    const [first, second] = await Promise.all([lazy(asked), lazy(asked)]);
    assert.deepEqual(first, handler(asked), path);
    if (first?.kind !== 'bytes' || second?.kind !== 'bytes') continue;
    assert.equal([...first.chunks][0], [...second.chunks][0], `${path} is made once`);
  }
  assert.equal(lazy(request('/other', {})), undefined);
});

test('a document that could not be made is tried again by the next who asks', async () => {
  let isBroken = true;
  const broken: ApiDefinition = {
    ...wardle,
    get versions() {
      if (isBroken) throw new Error('not now');
      return wardle.versions;
    },
  };
  const lazy = lazyOpenApiHandler([broken], options);
  const asked = request('/openapi/v3', {});
  await assert.rejects(async () => lazy(asked), /not now/);
  isBroken = false;
  assert.deepEqual(await lazy(asked), handler(asked));
});

function idsOf({ paths }: OpenApiDocument): { path: string }[] {
  return Object.entries(paths).map(([path, { parameters: _, ...methods }]) => ({
    path,
    ...Object.fromEntries(
      Object.entries(methods).map(([method, { operationId }]) => [method, operationId]),
    ),
  }));
}

function operationOf({ paths }: OpenApiDocument, path: string, method: string): OperationForm {
  const operation = paths[path]?.[method];
  assert.ok(operation, `${method} ${path}`);
  return operation;
}

function indexPaths(): Record<string, string> {
  const index = JSON.parse(Buffer.from(bytes(get('/openapi/v3'))).toString()) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(
    Object.entries(index.paths).map(([key, { serverRelativeURL }]) => [key, serverRelativeURL]),
  );
}

/** The same API, without subresources and with fewer verbs. */
function withVerbs(verbs: readonly ResourceVerb[]): ApiDefinition {
  const bare = { status: false, scale: undefined, custom: new Map() };
  const resources = wardle.resources.map((one) => ({ ...one, verbs, subresources: bare }));
  return { ...wardle, resources };
}

function document(path: string, from = handler): OpenApiDocument {
  return JSON.parse(Buffer.from(bytes(get(path, {}, from))).toString()) as OpenApiDocument;
}

type BytesResponse = ApiResponse & { kind: 'bytes' };

function get(target: string, headers: Record<string, string> = {}, from = handler): BytesResponse {
  const response = from(request(target, headers));
  assert.equal(response?.kind, 'bytes');
  return response;
}

function bytes({ chunks }: BytesResponse): Uint8Array {
  const [chunk = new Uint8Array(), ...rest] = chunks;
  assert.equal(rest.length, 0);
  return chunk;
}

function header({ headers }: ApiResponse, name: string): string[] {
  return (headers ?? []).filter(([candidate]) => candidate === name).map(([, value]) => value);
}

function request(target: string, headers: Record<string, string>): ApiRequest {
  const [path = '', search = ''] = target.split('?');
  const query = new URLSearchParams(search);
  return {
    method: 'GET',
    path,
    query,
    headers: new RequestHeaders(Object.entries(headers).flat()),
    peer: { address: '127.0.0.1', certificate: undefined },
    info: parseRequestInfo('GET', path, query),
    user: anonymous,
    warnings: new Warnings(),
    cancellation: new Cancellation(),
    body: async () => new Uint8Array(),
    bodyStream: () => Readable.from([]),
  };
}
