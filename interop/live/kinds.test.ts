/** The built-in kinds: what was generated is what the real server has, and what we say of it is true. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import * as apiregistration from '@tributary/api/apiregistration-v1';
import * as core from '@tributary/api/core-v1';
import * as flowcontrol from '@tributary/api/flowcontrol-v1';
import * as rbac from '@tributary/api/rbac-v1';
import { type KubeObject, parseJson } from '@tributary/apimachinery';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import {
  decodingRows,
  type Endpoint,
  endpoints,
} from '../../packages/core-server/test/decoding-rows.ts';
import { typedApis } from '../../packages/core-server/test/typed-api.ts';
import { metaDefinitions } from '../../packages/server/src/openapi/meta-definitions.ts';
import {
  decodeProtobuf,
  openEnvelope,
} from '../../packages/server/src/schema/typed/decode-protobuf.ts';
import { decodeTyped } from '../../packages/server/src/schema/typed/decode-typed.ts';
import { httpsRequest } from '../../test/harness/index.ts';
import { collectFacts, definitionsIn } from '../kinds/facts.ts';
import { generatedFolder, generateFiles } from '../kinds/generate.ts';
import { type ReferenceStack, startReferenceStack } from '../stack.ts';

/** Of kinds without defaults, or with all of them given. */
const ownershipRows = [
  {
    name: 'a role of nothing',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    kind: 'ClusterRole',
    fields: {},
  },
  {
    name: 'a role',
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    kind: 'ClusterRole',
    fields: { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
  },
  {
    name: 'a lease of nothing',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    kind: 'Lease',
    fields: {},
  },
  {
    name: 'a lease',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    kind: 'Lease',
    fields: { spec: { holderIdentity: 'a' } },
  },
  {
    name: 'an event, which always has times',
    path: '/api/v1/namespaces/default/events',
    kind: 'Event',
    fields: {
      involvedObject: { namespace: 'default', kind: 'Pod' },
      reason: 'x',
      firstTimestamp: '2024-01-01T00:00:00Z',
    },
  },
  {
    name: 'endpoints that are null',
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    kind: 'EndpointSlice',
    fields: { addressType: 'IPv4' },
  },
  {
    name: 'endpoints',
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    kind: 'EndpointSlice',
    fields: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
      ports: [{ name: 'a', port: 80, protocol: 'TCP' }],
    },
  },
  {
    name: 'a map that is empty',
    path: '/api/v1/namespaces/default/configmaps',
    kind: 'ConfigMap',
    fields: { data: { a: 'b' }, binaryData: {} },
  },
  {
    name: 'a quantity',
    path: '/api/v1/namespaces/default/resourcequotas',
    kind: 'ResourceQuota',
    fields: { spec: { hard: { pods: '1000m' } } },
  },
  {
    name: 'ports with two keys',
    path: '/api/v1/namespaces/default/services',
    kind: 'Service',
    fields: {
      spec: {
        type: 'ClusterIP',
        clusterIP: 'None',
        clusterIPs: ['None'],
        internalTrafficPolicy: 'Cluster',
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
        sessionAffinity: 'None',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
    },
  },
];

const groups = typedApis.map(({ group }) => group).filter((group) => group !== '');

test('npm run generate:kinds would change nothing', async () => {
  const files = await generateFiles(await collectFacts(() => {}));
  assert.deepEqual(readdirSync(generatedFolder).sort(), [...files.keys()].sort());
  for (const [name, content] of files) {
    assert.equal(readFileSync(join(generatedFolder, name), 'utf8'), content, name);
  }
});

suite('what the real server makes of bodies', () => {
  let stack: ReferenceStack;

  before(async () => {
    stack = await startReferenceStack();
  });
  after(async () => stack.stop());

  for (const [at, { name, endpoint, body, expected: response }] of decodingRows.entries()) {
    test(`${endpoint.kind.kind}: ${name}`, async () => {
      const { status, bytes } = await post(stack, endpoint.path, named(body, at));
      assert.deepEqual(responseIn(status, bytes), response);
    });
  }
});

suite('the same objects in protocol buffers', () => {
  let stack: ReferenceStack;

  before(async () => {
    stack = await startReferenceStack();
    for (const [at, { endpoint, body, expected: response }] of decodingRows.entries()) {
      if ('fields' in response && endpoint.kind.list !== undefined) {
        await post(stack, endpoint.path, named(body, at));
      }
    }
  });
  after(async () => stack.stop());

  const lists: readonly Endpoint[] = [
    ...Object.values(endpoints).filter(({ kind }) => kind.list !== undefined),
    { kind: core.Namespace, path: '/api/v1/namespaces' },
    { kind: core.ServiceAccount, path: '/api/v1/serviceaccounts' },
    {
      kind: rbac.ClusterRoleBinding,
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    },
    {
      kind: flowcontrol.FlowSchema,
      path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    },
    { kind: apiregistration.APIService, path: '/apis/apiregistration.k8s.io/v1/apiservices' },
  ];
  for (const { kind, path } of lists) {
    test(`${kind.kind}: are read as what they are in JSON, which is already as we would write it`, async () => {
      const { list } = kind;
      assert.ok(list);
      const url = `${path}?resourceVersion=0`;
      const written = withoutVersion(await bytesAt(stack, url, 'application/json'));
      const { raw } = openEnvelope(
        await bytesAt(stack, url, 'application/vnd.kubernetes.protobuf'),
      );
      const { items } = decodeTyped(decodeProtobuf(raw, list), list).object;
      assert.deepEqual(items ?? [], written.items);
      const { kind: _kind, apiVersion: _version, ...own } = written;
      assert.deepEqual(decodeTyped(own, list).object.items ?? [], written.items);
    });
  }
});

function withoutVersion(bytes: Uint8Array): Record<string, unknown> {
  const list = parseJson(bytes) as Record<string, unknown>;
  return { ...list, metadata: {} };
}

async function bytesAt(stack: ReferenceStack, path: string, accept: string): Promise<Uint8Array> {
  const { url, ca, admin } = stack.kubeApiserver;
  const { status, bytes, body } = await httpsRequest(url + path, {
    ca,
    ...admin,
    headers: { accept },
  });
  assert.equal(status, 200, body);
  return bytes;
}

suite('what we publish of the kinds', () => {
  let stack: ReferenceStack;
  let ours: TestServer;

  before(async () => {
    stack = await startReferenceStack();
    ours = await startTestServer(typedApis);
  });
  after(async () => {
    await ours.close();
    await stack.stop();
  });

  for (const path of ['api/v1', ...groups.map((group) => `apis/${group}/v1`)]) {
    test(`/openapi/v3/${path} has the definitions of the original`, async () => {
      const theirs = definitionsIn(await published(stack, `/openapi/v3/${path}`));
      const { object } = await ours.request<object>('GET', `/openapi/v3/${path}`);
      sameDefinitions(definitionsIn(object), theirs);
    });
  }

  for (const [at, { name, path, kind, fields }] of ownershipRows.entries()) {
    test(`who creates or applies owns the same: ${name}`, async () => {
      const apiVersion = path
        .replace(/^\/apis?\//, '')
        .replace(/\/(?:namespaces\/default\/)?\w+$/, '');
      const sends = [
        { method: 'POST', path, type: 'application/json', name: `created-${at}` },
        {
          method: 'PATCH',
          path: `${path}/applied-${at}`,
          type: 'application/apply-patch+yaml',
          name: `applied-${at}`,
        },
      ];
      for (const { method, path: place, type, name } of sends) {
        const url = `${place}?fieldManager=somebody`;
        const headers = { 'content-type': type };
        const body = JSON.stringify({ apiVersion, kind, metadata: { name }, ...fields });
        const { object } = await ours.request<KubeObject>(method, url, { body, headers });
        const { kubeApiserver: server } = stack;
        const theirs = await httpsRequest(server.url + url, {
          method,
          body,
          ca: server.ca,
          ...server.admin,
          headers,
        });
        assert.deepEqual(owned(object), owned(theirs.json() as KubeObject), method);
      }
    });
  }

  test('/openapi/v2 has them too', async () => {
    const theirs = await published(stack, '/openapi/v2');
    const { object } = await ours.request<object>('GET', '/openapi/v2');
    sameDefinitions(definitionsIn(object), definitionsIn(theirs));
  });
});

/** Everything but the metadata, of which only the owners of fields. */
function owned({ metadata, ...fields }: KubeObject): object {
  return { ...fields, owned: metadata.managedFields?.map(({ fieldsV1 }) => fieldsV1) };
}

/** Of the kinds; those that every API has are compared elsewhere. */
function sameDefinitions(
  ours: Readonly<Record<string, unknown>>,
  theirs: Readonly<Record<string, unknown>>,
): void {
  const names = Object.keys(ours).filter((name) => !metaDefinitions([]).has(name));
  assert.ok(names.length > 1);
  for (const name of names) assert.deepEqual(ours[name], theirs[name], name);
}

async function published(stack: ReferenceStack, path: string): Promise<unknown> {
  const { url, ca, admin } = stack.kubeApiserver;
  return (await httpsRequest(url + path, { ca, ...admin })).json();
}

async function post(
  { kubeApiserver: { url, ca, admin } }: ReferenceStack,
  path: string,
  body: string,
): Promise<{ status: number; bytes: Uint8Array }> {
  const headers = { 'content-type': 'application/json' };
  return httpsRequest(url + path, { method: 'POST', body, ca, ...admin, headers });
}

/** Rows that are about metadata have their own. */
function named(body: string, at: number): string {
  if (Object.hasOwn(JSON.parse(body) as object, 'metadata')) return body;
  const metadata = `"metadata":{"name":"row-${at}"}`;
  return body === '{}' ? `{${metadata}}` : `{${metadata},${body.slice(1)}`;
}

function responseIn(status: number, bytes: Uint8Array): unknown {
  const response = parseJson(bytes) as Record<string, unknown>;
  if (status === 400) {
    return {
      error: String(response.message).replace(
        /^\w+ in version "\w+" cannot be handled as a \w+: /,
        '',
      ),
    };
  }
  const { kind: _kind, apiVersion: _version, metadata: _metadata, ...fields } = response;
  return { fields };
}
