import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import { createAuthority } from '@tributary/server/pki';
import { service, slice } from '../../test/service-objects.ts';
import { examine } from './examine.ts';
import { HOPS, type Hop } from './finding.ts';
import type { Answer, Look } from './look.ts';
import { CannotAsk } from './look.ts';

const NAME = 'v1.example.com';
const place = { kubectlFlags: [], dataDir: '.tributary', isStandalone: false };
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
const refused = { kind: 'refused', why: 'forbidden' } as const;

function answerTo(path: string): Answer {
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
  return { kind: 'answer', status: documents[path] ? 200 : 404, headers: {}, body, tookMs: 1 };
}

/** Everything is well, but for what a test says; notes how servers were asked. */
function look(changes: Partial<Look> = {}, asked: string[] = []): Look {
  return {
    nowMs: () => Date.now(),
    sleep: async () => undefined,
    apiService: async () => found(apiService()),
    apiServices: async () => found([apiService()]),
    service: async () => found(service()),
    services: async () => found<readonly Service[]>([]),
    slices: async () => found([slice()]),
    trust: async () => refused,
    trustReaders: async () => refused,
    identity: async () => ({
      kind: 'pair',
      certFile: 'front-proxy-client.crt',
      ...proxy,
      caFile: 'front-proxy-ca.crt',
      ca: authority.cert,
    }),
    madeAuthority: async () => undefined,
    lookUp: async () => ({ addresses: ['10.1.0.1'] }),
    connect: async () => ({ kind: 'open' }),
    handshake: async () => ({
      kind: 'done',
      chain: [new X509Certificate(serving.cert)],
      verifyCode: undefined,
    }),
    ask: async (_, { path, groups }) => {
      asked.push(`${path} ${groups.join()}`);
      return answerTo(path);
    },
    askThrough: async ({ path }) => {
      asked.push(`${path} through`);
      return answerTo(path);
    },
    ...changes,
  };
}

const silent = async () => ({ kind: 'failed', code: 'ETIMEDOUT', why: 'silence' }) as const;
const withoutPair = async () => ({ kind: 'none', why: 'not here' }) as const;

describe('a walk', () => {
  const cases: {
    name: string;
    changes: Partial<Look>;
    broken?: Hop;
    unseen?: readonly Hop[];
    through?: boolean;
  }[] = [
    { name: 'where all is well', changes: {} },
    {
      name: 'a condition that stays out of date',
      changes: { apiService: async () => found(apiService('False')) },
      broken: 'condition',
    },
    {
      name: 'a network that is not seen from here',
      changes: { connect: silent },
      unseen: ['tcp', 'tls', 'tls-name', 'ca', 'client-certificate', 'headers'],
      through: true,
    },
    {
      name: 'the same, and the aggregator does not see it either',
      changes: { connect: silent, apiService: async () => found(apiService('False')) },
      broken: 'tcp',
    },
    {
      name: 'a Service that may not be read',
      changes: { service: async () => refused },
      unseen: HOPS.slice(HOPS.indexOf('service'), HOPS.indexOf('headers') + 1),
      through: true,
    },
    {
      name: 'EndpointSlices that may not be read',
      changes: { slices: async () => refused },
      unseen: HOPS.slice(HOPS.indexOf('endpoints'), HOPS.indexOf('headers') + 1),
      through: true,
    },
    {
      name: 'no pair of the front proxy',
      changes: { identity: withoutPair },
      unseen: ['client-certificate', 'headers'],
      through: true,
    },
    {
      name: 'one of two endpoints is dead',
      changes: {
        slices: async () => found([slice({ endpoints: ['10.1.0.1', '10.1.0.2'] })]),
        connect: async ({ host }) =>
          host === '10.1.0.2'
            ? { kind: 'failed', code: 'ECONNREFUSED', why: '' }
            : { kind: 'open' },
      },
      broken: 'tcp',
    },
  ];
  for (const { name, changes, broken, unseen = [], through = false } of cases) {
    test(name, async () => {
      const asked: string[] = [];
      const { hops, finding, verdict } = await examine(NAME, look(changes, asked), place);
      assert.equal(finding?.hop, broken, finding?.seen);
      assert.equal(verdict, broken === undefined ? 'well' : 'broken');
      const of = (outcome: string) => hops.filter((one) => one.outcome === outcome);
      assert.deepEqual(
        of('unseen').map(({ hop }) => hop),
        unseen,
      );
      assert.equal(
        of('not-tried').length,
        broken === undefined ? 0 : HOPS.length - HOPS.indexOf(broken) - 1,
      );
      if (broken !== 'tcp')
        assert.equal(
          asked.every((one) => one.endsWith('through')),
          through,
        );
    });
  }

  test('asks as an administrator and as an ordinary user', async () => {
    const asked: string[] = [];
    await examine(NAME, look({}, asked), place);
    assert.deepEqual(asked.slice(0, 2), [
      '/apis/example.com/v1 system:masters',
      '/apis/example.com/v1 system:authenticated',
    ]);
  });

  test('of a token that is passed on asks through the aggregator, which passes it on', async () => {
    const asked: string[] = [];
    const forwarding = apiService();
    forwarding.metadata.annotations = { 'aggregation.tributary.dev/forward-bearer-token': 'true' };
    await examine(NAME, look({ apiService: async () => found(forwarding) }, asked), place);
    assert.ok(asked.length > 0 && asked.every((one) => one.endsWith('through')));
  });

  test('a condition that comes within the time is waited for', async () => {
    const statuses = ['False', 'False', 'True'];
    const apiServiceOf = async () => found(apiService(statuses.shift() ?? 'True'));
    const { verdict } = await examine(NAME, look({ apiService: apiServiceOf }), place);
    assert.equal(verdict, 'well');
  });

  test('what the API server serves itself has no hops', async () => {
    const local = apiService('True', { service: undefined, caBundle: undefined });
    const { hops, verdict } = await examine(
      NAME,
      look({ apiService: async () => found(local) }),
      place,
    );
    assert.equal(verdict, 'well');
    assert.ok(hops.every(({ outcome }) => outcome === 'skipped'));
  });

  test('an APIService that may not be read cannot be asked about', async () => {
    const hidden = look({ apiService: async () => refused });
    await assert.rejects(examine(NAME, hidden, place), CannotAsk);
  });
});
