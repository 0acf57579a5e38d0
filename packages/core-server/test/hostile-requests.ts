/** Requests within all size limits that are expensive to process. */
import type { ForeignRequest } from './independent-client.ts';

interface HostileRequest extends Omit<ForeignRequest, 'body'> {
  readonly name: string;
  /** The expected status code. */
  readonly code: number;
  /** Created when it is sent, because all bodies together take hundreds of megabytes. */
  readonly body?: () => string;
}

export function madeOf({ body, ...request }: HostileRequest): ForeignRequest {
  return { ...request, ...(body && { body: body() }) };
}

const NS = '/api/v1/namespaces/default';
const DRY = '?dryRun=All';
const yaml = { 'content-type': 'application/yaml' };
const types = {
  merge: { 'content-type': 'application/merge-patch+json' },
  strategic: { 'content-type': 'application/strategic-merge-patch+json' },
  json: { 'content-type': 'application/json-patch+json' },
  apply: { 'content-type': 'application/apply-patch+yaml' },
};

function times<T>(count: number, make: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

function configMap(more: object, metadata: object = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...metadata },
    ...more,
  });
}

const fields = (count: number, prefix = 'k') =>
  Object.fromEntries(times(count, (at) => [`${prefix}${at}`, '']));
const container = (at: number) => ({ name: `c${at}`, image: 'i' });
const pod = (spec: object) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
const yamlOf = (lines: string[]) =>
  ['apiVersion: v1', 'kind: ConfigMap', 'metadata: {name: a}', 'data:', ...lines].join('\n');

/** With as many values as a body can hold, or as are accepted. */
export function hostileRequests(size: 'most' | 'accepted'): readonly HostileRequest[] {
  const n = (most: number, accepted = most) => (size === 'most' ? most : accepted);
  const bounded = (code: number) => (size === 'most' ? 413 : code);
  const create = { method: 'POST', path: `${NS}/configmaps${DRY}` };
  const patch = { method: 'PATCH', path: `${NS}/configmaps/hostile-target${DRY}` };
  return [
    {
      name: 'managed fields of many managers',
      ...create,
      code: bounded(201),
      body: () =>
        configMap(
          {},
          {
            managedFields: times(n(15_000, 4_990), (at) => ({
              manager: `m${at}`,
              operation: 'Update',
              apiVersion: 'v1',
              time: '2024-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { [`f:k${at}`]: {} } },
            })),
          },
        ),
    },
    {
      name: 'managed fields of many versions',
      ...create,
      code: bounded(201),
      body: () =>
        configMap(
          {},
          {
            managedFields: times(n(15_000, 4_990), (at) => ({
              manager: `m${at}`,
              operation: 'Update',
              apiVersion: `v${at}`,
              time: '2024-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { [`f:k${at}`]: {} } },
            })),
          },
        ),
    },
    {
      name: 'finalizers',
      ...create,
      code: bounded(201),
      body: () => configMap({}, { finalizers: times(n(150_000, 4_990), (at) => `a.b/f${at}`) }),
    },
    {
      name: 'equal finalizers',
      ...create,
      code: bounded(201),
      body: () => configMap({}, { finalizers: times(n(150_000, 4_990), () => 'a.b/finalizer') }),
    },
    {
      name: 'owner references',
      ...create,
      code: bounded(201),
      body: () =>
        configMap(
          {},
          {
            ownerReferences: times(n(30_000, 2_490), (at) => ({
              apiVersion: 'v1',
              kind: 'Pod',
              name: `o${at}`,
              uid: `u${at}`,
            })),
          },
        ),
    },
    {
      name: 'labels',
      ...create,
      code: bounded(201),
      body: () => configMap({}, { labels: fields(n(150_000, 4_990)) }),
    },
    {
      name: 'labels that are wrong',
      ...create,
      code: bounded(422),
      body: () => configMap({}, { labels: fields(n(150_000, 4_990), '-') }),
    },
    {
      name: 'data',
      ...create,
      code: bounded(201),
      body: () => configMap({ data: fields(n(200_000, 4_990)) }),
    },
    {
      name: 'data with wrong keys',
      ...create,
      code: bounded(422),
      body: () => configMap({ data: fields(n(150_000, 4_990), '/') }),
    },
    {
      name: 'keys of YAML',
      ...create,
      code: bounded(201),
      headers: yaml,
      body: () => yamlOf(times(n(250_000, 4_990), (at) => ` k${at}: a`)),
    },
    {
      name: 'equal keys of YAML',
      ...create,
      code: 201,
      headers: yaml,
      body: () => yamlOf(times(n(250_000), () => ' key: a')),
    },
    {
      name: 'YAML in flow style',
      ...create,
      code: bounded(400),
      headers: yaml,
      body: () => `data: [${'{},'.repeat(n(900_000, 25_000))}]`,
    },
    {
      name: 'unknown fields',
      ...create,
      code: bounded(201),
      body: () => configMap(fields(n(200_000, 29_000))),
    },
    {
      name: 'duplicate fields',
      ...create,
      code: 201,
      body: () => `{"metadata":{"name":"a"},${'"data":{},'.repeat(n(250_000))}"data":{}}`,
    },
    {
      name: 'containers',
      method: 'POST',
      path: `${NS}/pods${DRY}`,
      code: bounded(201),
      body: () => pod({ containers: times(n(20_000, 2_490), container) }),
    },
    {
      name: 'containers of one name',
      method: 'POST',
      path: `${NS}/pods${DRY}`,
      code: bounded(422),
      body: () => pod({ containers: times(n(20_000, 2_490), () => container(0)) }),
    },
    {
      name: 'volumes, and mounts of them',
      method: 'POST',
      path: `${NS}/pods${DRY}`,
      code: bounded(201),
      body: () =>
        pod({
          volumes: times(n(10_000, 1_240), (at) => ({ name: `v${at}`, emptyDir: {} })),
          containers: [
            {
              ...container(0),
              volumeMounts: times(n(10_000, 1_240), (at) => ({
                name: `v${at}`,
                mountPath: `/m${at}`,
              })),
            },
          ],
        }),
    },
    {
      name: 'environment variables',
      method: 'POST',
      path: `${NS}/pods${DRY}`,
      code: bounded(201),
      body: () =>
        pod({
          containers: [
            {
              ...container(0),
              env: times(n(80_000, 2_490), (at) => ({ name: `E${at}`, value: '' })),
            },
          ],
        }),
    },
    {
      name: 'ports of a pod',
      method: 'POST',
      path: `${NS}/pods${DRY}`,
      code: bounded(201),
      body: () =>
        pod({
          containers: [
            {
              ...container(0),
              ports: times(n(50_000, 2_490), (at) => ({ containerPort: 1 + at })),
            },
          ],
        }),
    },
    {
      name: 'tolerations',
      method: 'POST',
      path: `${NS}/pods${DRY}`,
      code: bounded(201),
      body: () =>
        pod({
          containers: [container(0)],
          tolerations: times(n(50_000, 7_000), (at) => ({ key: `k${at}`, operator: 'Exists' })),
        }),
    },
    {
      name: 'ports of a service',
      method: 'POST',
      path: `${NS}/services${DRY}`,
      code: bounded(201),
      body: () =>
        JSON.stringify({
          metadata: { name: 'a' },
          spec: { ports: times(n(50_000, 2_490), (at) => ({ name: `p${at}`, port: 1 + at })) },
        }),
    },
    {
      name: 'addresses of endpoints',
      method: 'POST',
      path: `${NS}/endpoints${DRY}`,
      code: bounded(201),
      body: () =>
        JSON.stringify({
          metadata: { name: 'a' },
          subsets: [
            {
              addresses: times(n(100_000, 14_000), (at) => ({
                ip: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`,
              })),
              ports: [{ port: 1 }],
            },
          ],
        }),
    },
    {
      name: 'rules of a role',
      method: 'POST',
      path: `/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles${DRY}`,
      code: bounded(201),
      body: () =>
        JSON.stringify({
          metadata: { name: 'a' },
          rules: times(n(30_000, 4_000), (at) => ({
            verbs: ['get'],
            apiGroups: [''],
            resources: [`r${at}`],
          })),
        }),
    },
    {
      name: 'peers of a network policy',
      method: 'POST',
      path: `/apis/networking.k8s.io/v1/namespaces/default/networkpolicies${DRY}`,
      code: bounded(201),
      body: () =>
        JSON.stringify({
          metadata: { name: 'a' },
          spec: {
            podSelector: {},
            ingress: [
              { from: times(n(50_000, 7_000), () => ({ ipBlock: { cidr: '10.0.0.0/8' } })) },
            ],
          },
        }),
    },
    {
      name: 'JSON patch whose copies double',
      ...patch,
      code: 422,
      headers: types.json,
      body: () =>
        JSON.stringify([
          { op: 'add', path: '/data', value: fields(n(1000), 'key-of-the-copied-object-') },
          ...times(40, (at) => ({ op: 'copy', from: '/data', path: `/data/x${at}` })),
        ]),
    },
    {
      name: 'JSON patch whose arrays double',
      ...patch,
      code: 422,
      headers: types.json,
      body: () =>
        JSON.stringify([
          { op: 'add', path: '/x', value: times(n(20_000), () => 0) },
          ...times(40, () => ({ op: 'copy', from: '/x', path: '/x/0' })),
        ]),
    },
    {
      name: 'JSON patch with many operations at the front of an array',
      ...patch,
      code: 422,
      headers: types.json,
      body: () =>
        JSON.stringify([
          { op: 'add', path: '/x', value: times(n(500_000, 9_000), () => 0) },
          ...times(n(9_999), () => ({ op: 'add', path: '/x/0', value: 0 })),
        ]),
    },
    {
      name: 'JSON patch that tests a large value again and again',
      ...patch,
      code: 422,
      headers: types.json,
      body: () =>
        JSON.stringify([
          { op: 'add', path: '/x', value: times(n(200_000, 10_000), () => 0) },
          { op: 'add', path: '/y', value: times(n(200_000, 10_000), () => 0) },
          ...times(n(5_000), () => ({ op: 'copy', from: '/x/0', path: '/y/0' })),
        ]),
    },
    {
      name: 'merge patch of many keys',
      ...patch,
      code: bounded(200),
      headers: types.merge,
      body: () => JSON.stringify({ data: fields(n(200_000, 4_990)) }),
    },
    {
      name: 'strategic merge patch of many keys',
      ...patch,
      code: bounded(200),
      headers: types.strategic,
      body: () => JSON.stringify({ data: fields(n(200_000, 4_990)) }),
    },
    {
      name: 'strategic merge patch of many finalizers',
      ...patch,
      code: bounded(200),
      headers: types.strategic,
      body: () =>
        JSON.stringify({
          metadata: { finalizers: times(n(150_000, 4_990), (at) => `a.b/f${at}`) },
        }),
    },
    {
      name: 'strategic merge patch of many owners',
      ...patch,
      code: bounded(200),
      headers: types.strategic,
      body: () =>
        JSON.stringify({
          metadata: {
            ownerReferences: times(n(30_000, 2_490), (at) => ({
              apiVersion: 'v1',
              kind: 'Pod',
              name: `o${at}`,
              uid: `u${at}`,
            })),
          },
        }),
    },
    {
      name: 'strategic merge patch with an order of many',
      ...patch,
      code: bounded(200),
      headers: types.strategic,
      body: () =>
        JSON.stringify({
          metadata: {
            '$setElementOrder/finalizers': times(n(70_000, 4_990), (at) => `a.b/f${at}`),
            finalizers: times(n(70_000, 4_990), (at) => `a.b/f${at}`),
          },
        }),
    },
    {
      name: 'apply of many keys',
      method: 'PATCH',
      path: `${NS}/configmaps/hostile-target?dryRun=All&fieldManager=x`,
      code: bounded(200),
      headers: types.apply,
      body: () => configMap({ data: fields(n(150_000, 4_990)) }, { name: 'hostile-target' }),
    },
    {
      name: 'apply of many finalizers',
      method: 'PATCH',
      path: `${NS}/configmaps/hostile-target?dryRun=All&fieldManager=x`,
      code: bounded(200),
      headers: types.apply,
      body: () =>
        configMap(
          {},
          { name: 'hostile-target', finalizers: times(n(120_000, 4_990), (at) => `a.b/f${at}`) },
        ),
    },
    {
      name: 'apply of many containers',
      method: 'PATCH',
      path: `${NS}/pods/a?dryRun=All&fieldManager=x`,
      code: bounded(201),
      headers: types.apply,
      body: () => pod({ containers: times(n(20_000, 2_490), container) }),
    },
    {
      name: 'custom resource with a map list of many',
      method: 'POST',
      path: `/apis/hostile.example.com/v1/namespaces/default/things${DRY}`,
      code: bounded(201),
      body: () =>
        JSON.stringify({
          apiVersion: 'hostile.example.com/v1',
          kind: 'Thing',
          metadata: { name: 'a' },
          spec: { items: times(n(60_000, 2_490), (at) => ({ name: `n${at}` })) },
        }),
    },
    {
      name: 'custom resource with a set of many',
      method: 'POST',
      path: `/apis/hostile.example.com/v1/namespaces/default/things${DRY}`,
      code: bounded(201),
      body: () =>
        JSON.stringify({
          apiVersion: 'hostile.example.com/v1',
          kind: 'Thing',
          metadata: { name: 'a' },
          spec: { set: times(n(200_000, 4_990), (at) => `n${at}`) },
        }),
    },
    {
      name: 'custom resource with an atomic list of many',
      method: 'POST',
      path: `/apis/hostile.example.com/v1/namespaces/default/things${DRY}`,
      code: 201,
      body: () =>
        JSON.stringify({
          apiVersion: 'hostile.example.com/v1',
          kind: 'Thing',
          metadata: { name: 'a' },
          spec: { numbers: times(n(700_000), () => 1) },
        }),
    },
    {
      name: 'custom resource with wrong values',
      method: 'POST',
      path: `/apis/hostile.example.com/v1/namespaces/default/things${DRY}`,
      code: 422,
      body: () =>
        JSON.stringify({
          apiVersion: 'hostile.example.com/v1',
          kind: 'Thing',
          metadata: { name: 'a' },
          spec: { numbers: times(n(300_000), () => 'x') },
        }),
    },
    {
      name: 'a review of many groups',
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      code: bounded(201),
      body: () =>
        JSON.stringify({
          spec: {
            user: 'a',
            groups: times(n(200_000, 29_000), (at) => `g${at}`),
            resourceAttributes: { verb: 'get', resource: 'pods' },
          },
        }),
    },
    {
      name: 'a label selector of many terms',
      method: 'GET',
      path: `${NS}/configmaps?labelSelector=${times(n(100_000), (at) => `a${at}=b`).join(',')}`,
      code: 200,
    },
    {
      name: 'a label selector of one long set',
      method: 'GET',
      path: `${NS}/configmaps?labelSelector=${encodeURIComponent(`a in (${times(n(100_000), (at) => `v${at}`).join(',')})`)}`,
      code: 200,
    },
    {
      name: 'a field selector of many terms',
      method: 'GET',
      path: `${NS}/configmaps?fieldSelector=${times(n(40_000), (at) => `metadata.name!=b${at}`).join(',')}`,
      code: 200,
    },
    {
      name: 'a long query',
      method: 'GET',
      path: `${NS}/configmaps?${times(n(100_000), (at) => `a${at}=`).join('&')}`,
      code: 200,
    },
    { name: 'a long path', method: 'GET', path: `/api/v1${'/a'.repeat(n(400_000))}`, code: 404 },
    {
      name: 'a long escaped path',
      method: 'GET',
      path: `${NS}/configmaps/${'%61'.repeat(n(250_000))}`,
      code: 404,
    },
    {
      name: 'a long token',
      method: 'GET',
      path: `${NS}/configmaps`,
      headers: { authorization: `Bearer ${'a'.repeat(n(900_000))}` },
      code: 401,
    },
    {
      name: 'a long token of many parts',
      method: 'GET',
      path: `${NS}/configmaps`,
      headers: { authorization: `Bearer ${'a.'.repeat(n(450_000))}` },
      code: 401,
    },
    {
      name: 'a long token that begins as one',
      method: 'GET',
      path: `${NS}/configmaps`,
      headers: {
        authorization: `Bearer ${Buffer.from(JSON.stringify({ alg: 'RS256' })).toString('base64url')}.${Buffer.from(JSON.stringify({ iss: 'https://kubernetes.default.svc', x: times(n(200_000), () => 0) })).toString('base64url')}.AAAA`,
      },
      code: 401,
    },
    {
      name: 'an Accept header of many types',
      method: 'GET',
      path: `${NS}/configmaps`,
      headers: { accept: `${times(n(60_000), (at) => `a/b${at}`).join(',')}` },
      code: 406,
    },
    {
      name: 'an impersonated user with many extras',
      method: 'GET',
      path: `${NS}/configmaps`,
      headers: {
        'impersonate-user': 'a',
        ...Object.fromEntries(
          times(Math.min(n(1_800), 1_800), (at) => [`impersonate-extra-a${at}`, 'b']),
        ),
      },
      code: 403,
    },
  ];
}

const string = { type: 'string' };
const itemsByName = {
  type: 'array',
  items: { type: 'object', required: ['name'], properties: { name: string } },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};

/** Objects that the requests need, each with the expected status code. */
export const preparations: readonly HostileRequest[] = [
  {
    name: 'a kind',
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    code: 201,
    body: () =>
      JSON.stringify({
        metadata: { name: 'things.hostile.example.com' },
        spec: {
          group: 'hostile.example.com',
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: {
                      type: 'object',
                      properties: {
                        items: itemsByName,
                        set: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
                        numbers: { type: 'array', items: { type: 'integer' } },
                      },
                    },
                  },
                },
              },
            },
          ],
        },
      }),
  },
  {
    name: 'an object',
    method: 'POST',
    path: `${NS}/configmaps`,
    code: 201,
    body: () => configMap({}, { name: 'hostile-target' }),
  },
];
