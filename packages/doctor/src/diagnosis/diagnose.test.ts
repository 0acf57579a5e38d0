import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import { createAuthority } from '@tributary/server/pki';
import { service, slice } from '../../../aggregator/test/service-objects.ts';
import type { ProbeResponse, Probes } from '../probes/probes.ts';
import { ClusterUnavailable } from '../probes/probes.ts';
import { HOPS, type Hop } from '../report/diagnosis.ts';
import { diagnose } from './diagnose.ts';

const NAME = 'v1.example.com';
const context = { kubectlFlags: [], dataDir: '.tributary', isStandalone: false };
const authority = createAuthority('ca');
const serving = authority.issue({ commonName: 'x', names: ['api.wardle.svc'], usage: 'server' });
const proxy = authority.issue({ commonName: 'front-proxy-client', usage: 'client' });

function apiService(status = 'True', more: object = {}): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: NAME },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      caBundle: Buffer.from(authority.cert).toString('base64'),
      service: { namespace: 'wardle', name: 'api' },
      ...more,
    },
    status: { conditions: [{ type: 'Available', status, reason: 'R', message: 'm' }] },
  } as APIService;
}

const found = <T>(value: T) => ({ kind: 'found', value }) as const;
const forbidden = { kind: 'forbidden', message: 'forbidden' } as const;

function respondTo(path: string): ProbeResponse {
  const documents: Readonly<Record<string, object>> = {
    '/apis/example.com/v1': {
      kind: 'APIResourceList',
      groupVersion: 'example.com/v1',
      resources: [],
    },
    '/openapi/v3': { paths: {} },
    '/openapi/v2': { swagger: '2.0' },
  };
  const body = Buffer.from(JSON.stringify(documents[path] ?? {}));
  return {
    kind: 'response',
    status: documents[path] ? 200 : 404,
    headers: {},
    body,
    durationMs: 1,
  };
}

/** A healthy server, except for the changes of a test; records every request. */
function probes(changes: Partial<Probes> = {}, requests: string[] = []): Probes {
  return {
    nowMs: () => Date.now(),
    sleep: async () => undefined,
    apiService: async () => found(apiService()),
    apiServices: async () => found([apiService()]),
    service: async () => found(service()),
    services: async () => found<readonly Service[]>([]),
    endpointSlices: async () => found([slice()]),
    authenticationConfig: async () => forbidden,
    authenticationReaders: async () => forbidden,
    frontProxyPair: async () => ({
      kind: 'pair',
      certFile: 'front-proxy-client.crt',
      ...proxy,
      caFile: 'front-proxy-ca.crt',
      ca: authority.cert,
    }),
    localCa: async () => undefined,
    resolve: async () => ({ addresses: ['10.1.0.1'] }),
    connect: async () => ({ kind: 'open' }),
    handshake: async () => ({
      kind: 'done',
      chain: [new X509Certificate(serving.cert)],
      verifyCode: undefined,
    }),
    requestDirectly: async (_, { path, groups }) => {
      requests.push(`${path} ${groups.join()}`);
      return respondTo(path);
    },
    requestThroughAggregator: async ({ path }) => {
      requests.push(`${path} through`);
      return respondTo(path);
    },
    ...changes,
  };
}

const timeout = async () => ({ kind: 'failed', code: 'ETIMEDOUT', message: 'timeout' }) as const;
const withoutPair = async () => ({ kind: 'none', message: 'not here' }) as const;

describe('a diagnosis', () => {
  const cases: {
    name: string;
    changes: Partial<Probes>;
    broken?: Hop;
    unknown?: readonly Hop[];
    throughAggregator?: boolean;
  }[] = [
    { name: 'of a healthy server', changes: {} },
    {
      name: 'of a condition that stays out of date',
      changes: { apiService: async () => found(apiService('False')) },
      broken: 'condition',
    },
    {
      name: 'of a server that only the aggregator reaches',
      changes: { connect: timeout },
      unknown: ['tcp', 'tls', 'tls-name', 'ca', 'client-certificate', 'headers'],
      throughAggregator: true,
    },
    {
      name: 'of a server that the aggregator does not reach either',
      changes: { connect: timeout, apiService: async () => found(apiService('False')) },
      broken: 'tcp',
    },
    {
      name: 'of a Service that is forbidden',
      changes: { service: async () => forbidden },
      unknown: HOPS.slice(HOPS.indexOf('service'), HOPS.indexOf('headers') + 1),
      throughAggregator: true,
    },
    {
      name: 'of EndpointSlices that are forbidden',
      changes: { endpointSlices: async () => forbidden },
      unknown: HOPS.slice(HOPS.indexOf('endpoints'), HOPS.indexOf('headers') + 1),
      throughAggregator: true,
    },
    {
      name: 'without the front-proxy pair',
      changes: { frontProxyPair: withoutPair },
      unknown: ['client-certificate', 'headers'],
      throughAggregator: true,
    },
    {
      name: 'of a Service with one dead endpoint of two',
      changes: {
        endpointSlices: async () => found([slice({ endpoints: ['10.1.0.1', '10.1.0.2'] })]),
        connect: async ({ host }) =>
          host === '10.1.0.2'
            ? { kind: 'failed', code: 'ECONNREFUSED', message: '' }
            : { kind: 'open' },
      },
      broken: 'tcp',
    },
  ];
  for (const { name, changes, broken, unknown = [], throughAggregator = false } of cases) {
    test(name, async () => {
      const requests: string[] = [];
      const { hops, problem, status } = await diagnose(NAME, probes(changes, requests), context);
      assert.equal(problem?.hop, broken, problem?.message);
      assert.equal(status, broken === undefined ? 'healthy' : 'broken');
      const of = (status: string) => hops.filter((one) => one.status === status);
      assert.deepEqual(
        of('unknown').map(({ hop }) => hop),
        unknown,
      );
      assert.equal(
        of('not-run').length,
        broken === undefined ? 0 : HOPS.length - HOPS.indexOf(broken) - 1,
      );
      if (broken !== 'tcp')
        assert.equal(
          requests.every((one) => one.endsWith('through')),
          throughAggregator,
        );
    });
  }

  test('sends requests as an administrator and as an ordinary user', async () => {
    const requests: string[] = [];
    await diagnose(NAME, probes({}, requests), context);
    assert.deepEqual(requests.slice(0, 2), [
      '/apis/example.com/v1 system:masters',
      '/apis/example.com/v1 system:authenticated',
    ]);
  });

  test('sends requests through the aggregator when that forwards the bearer token', async () => {
    const requests: string[] = [];
    const forwarding = apiService();
    forwarding.metadata.annotations = { 'aggregation.tributary.dev/forward-bearer-token': 'true' };
    await diagnose(NAME, probes({ apiService: async () => found(forwarding) }, requests), context);
    assert.ok(requests.length > 0 && requests.every((one) => one.endsWith('through')));
  });

  test('waits for a condition that becomes True in time', async () => {
    const statuses = ['False', 'False', 'True'];
    const apiServiceOf = async () => found(apiService(statuses.shift() ?? 'True'));
    const { status } = await diagnose(NAME, probes({ apiService: apiServiceOf }), context);
    assert.equal(status, 'healthy');
  });

  test('of a local APIService skips every hop', async () => {
    const local = apiService('True', { service: undefined, caBundle: undefined });
    const { hops, status } = await diagnose(
      NAME,
      probes({ apiService: async () => found(local) }),
      context,
    );
    assert.equal(status, 'healthy');
    assert.ok(hops.every(({ status }) => status === 'skipped'));
  });

  test('of an APIService that is forbidden fails', async () => {
    const hidden = probes({ apiService: async () => forbidden });
    await assert.rejects(diagnose(NAME, hidden, context), ClusterUnavailable);
  });
});
