import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  isRemote,
  type RemoteRegistration,
  readRegistration,
} from '@tributary/aggregator/api-services';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import { createAuthority } from '@tributary/server/pki';
import type { ProbeResponse, Subjects } from '../probes/probes.ts';
import type { Fix } from '../report/diagnosis.ts';
import { fixText } from '../report/report.ts';
import { checkAuthorization, checkHeaders } from './check-access.ts';
import { checkCa, checkServerName } from './check-certificate.ts';
import { checkCondition } from './check-condition.ts';
import { checkDiscovery, checkOpenApi } from './check-documents.ts';
import { checkTrust } from './check-identity.ts';
import { checkConnect } from './check-network.ts';
import { missingApiService } from './check-registration.ts';
import { checkService } from './check-service.ts';

const context = {
  kubectlFlags: ['--context', 'a cluster'],
  dataDir: '.tributary',
  isStandalone: false,
};
const NAME = 'v1.example.com';
const objects = { service: undefined, slices: [] };

function apiService(more: object = {}, annotations: Record<string, string> = {}): APIService {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1.example.com', annotations },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: 'ns', name: 'api' },
      ...more,
    },
  } as APIService;
}

function remote(more: object = {}): RemoteRegistration {
  const { registration } = readRegistration(apiService(more));
  assert.ok(isRemote(registration));
  return registration;
}

function respond(status: number, body: object | string = '', more: object = {}): ProbeResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return { kind: 'response', status, headers, body: Buffer.from(text), durationMs: 3, ...more };
}

const failed = (code: string): ProbeResponse => ({ kind: 'failed', code, message: code });
const list = { kind: 'APIResourceList', groupVersion: 'example.com/v1', resources: [] };

describe('discovery', () => {
  const cases: {
    name: string;
    response: ProbeResponse;
    served?: string[];
    want: RegExp | undefined;
  }[] = [
    { name: 'a list', response: respond(200, list), want: undefined },
    { name: 'a timeout', response: failed('ETIMEDOUT'), want: /no response/ },
    { name: 'a reset', response: failed('ECONNRESET'), want: /failed: ECONNRESET/ },
    {
      name: 'a slow response',
      response: respond(200, list, { durationMs: 6_200 }),
      want: /took 6\.2 s/,
    },
    { name: 'a redirect', response: respond(307, ''), want: /redirected to nowhere \(307\)/ },
    { name: 'a 500', response: respond(500, { message: 'boom' }), want: /returned 500: boom/ },
    { name: 'HTML', response: respond(200, '<html>'), want: /not JSON/ },
    { name: 'a JSON list', response: respond(200, '[]'), want: /not JSON/ },
    { name: 'another kind', response: respond(200, { kind: 'Status' }), want: /of kind Status/ },
    {
      name: 'another group',
      response: respond(200, { ...list, groupVersion: 'other/v1' }),
      want: /the resources of other\/v1/,
    },
    {
      name: 'a list without resources',
      response: respond(200, { ...list, resources: null }),
      want: /without resources/,
    },
    {
      name: 'a group that is not served',
      response: respond(404),
      want: /does not serve example\.com \(404\)/,
    },
    {
      name: 'other versions of the group',
      response: respond(404),
      served: ['v2'],
      want: /only v2/,
    },
  ];
  for (const { name, response, served, want } of cases) {
    test(name, () => {
      const facts = { response, served, apiService: apiService(), registered: [], objects };
      const result = checkDiscovery(remote(), facts);
      assert.equal(result.status, want === undefined ? 'passed' : 'failed', result.message);
      if (want !== undefined) assert.match(result.message, want);
    });
  }
});

describe('headers and authorization', () => {
  const review =
    'subjectaccessreviews.authorization.k8s.io is forbidden: User "system:serviceaccount:ns:api" cannot create resource "subjectaccessreviews"';
  const none: Subjects = { kind: 'found', value: [] };
  const reader: Subjects = { kind: 'found', value: ['ServiceAccount:ns:api'] };
  const hidden: Subjects = { kind: 'forbidden', message: 'forbidden' };
  const forbidden = (user: string) => ({
    message: `forbidden: User "${user}" cannot get path "/"`,
  });
  const cases: {
    name: string;
    response: ProbeResponse;
    readers?: Subjects;
    want: string;
    fixes?: number;
  }[] = [
    { name: '200', response: respond(200, list), want: 'passed' },
    { name: '404, which discovery checks', response: respond(404), want: 'passed' },
    { name: 'no response', response: failed('ETIMEDOUT'), want: 'unknown' },
    { name: '401', response: respond(401), want: 'failed', fixes: 2 },
    {
      name: '401 from a server that may read the ConfigMap',
      response: respond(401),
      readers: reader,
      want: 'failed',
      fixes: 1,
    },
    {
      name: '401, and role bindings are forbidden',
      response: respond(401),
      readers: hidden,
      want: 'failed',
      fixes: 2,
    },
    {
      name: 'a 403 for system:anonymous',
      response: respond(403, forbidden('system:anonymous')),
      want: 'failed',
    },
    {
      name: 'a 403 for the aggregator',
      response: respond(403, forbidden('system:kube-aggregator')),
      want: 'passed',
    },
    {
      name: 'a review that a server without the role cannot create',
      response: respond(500, { message: review }),
      want: 'failed',
    },
    {
      name: 'a review that a server with the role cannot create',
      response: respond(500, { message: review }),
      readers: reader,
      want: 'passed',
    },
  ];
  for (const { name, response, readers = none, want, fixes } of cases) {
    test(`headers: ${name}`, () => {
      const result = checkHeaders({ response, readers, namespace: 'ns', caFile: undefined });
      assert.equal(result.status, want, result.message);
      if (result.status === 'failed' && fixes !== undefined) {
        assert.equal(result.fixes.length, fixes);
      }
    });
  }

  const binding = (account: string) => [
    'create',
    'clusterrolebinding',
    'ns-auth-delegator',
    '--clusterrole=system:auth-delegator',
    account,
  ];
  const authorizations: {
    name: string;
    response: ProbeResponse;
    want: readonly string[] | undefined;
  }[] = [
    { name: 'allowed', response: respond(200, list), want: undefined },
    {
      name: 'an account without reviews',
      response: respond(500, { message: review }),
      want: binding('--serviceaccount=ns:api'),
    },
    {
      name: 'a user without reviews',
      response: respond(403, { message: review.replace('system:serviceaccount:ns:api', 'jane') }),
      want: binding('--user=jane'),
    },
    {
      name: 'reviews that fail without a user',
      response: respond(500, 'subjectaccessreviews: connection refused'),
      want: binding('--serviceaccount=ACCOUNT'),
    },
  ];
  for (const { name, response, want } of authorizations) {
    test(`authorization: ${name}`, () => {
      const result = checkAuthorization(response, 'ns');
      const fix = result.status === 'failed' ? result.fixes[0] : undefined;
      assert.deepEqual(fix?.kind === 'kubectl' ? fix.args : undefined, want);
    });
  }
});

describe('OpenAPI', () => {
  const [v3, v2] = [respond(200, { openapi: '3.0.0' }), respond(200, { swagger: '2.0' })];
  const cases = [
    { name: 'both', v3, v2, want: 'passed' },
    { name: 'v3 alone', v3, v2: respond(404), want: 'passed' },
    { name: 'v2 alone', v3: respond(404), v2, want: 'passed' },
    { name: 'neither', v3: respond(404), v2: respond(404), want: 'failed' },
    { name: 'an invalid v3', v3: respond(200, '{'), v2, want: 'failed' },
    { name: 'a v2 that is not OpenAPI', v3, v2: respond(200, {}), want: 'failed' },
    { name: 'a v2 that times out', v3, v2: failed('ETIMEDOUT'), want: 'failed' },
  ];
  for (const { name, want, ...documents } of cases) {
    test(name, () => assert.equal(checkOpenApi(documents).status, want));
  }
});

describe('the condition', () => {
  const rest = { reason: 'FailedDiscoveryCheck', message: 'timed out' };
  const cases = [
    { name: 'True', status: 'True', isDirect: true, want: undefined },
    { name: 'False, out of date', status: 'False', isDirect: true, want: 'kubectl' },
    {
      name: 'False, seen through the aggregator',
      status: 'False',
      isDirect: false,
      want: 'server',
    },
    { name: 'none', status: undefined, isDirect: true, want: 'kubectl' },
  ];
  for (const { name, status, isDirect, want } of cases) {
    test(name, () => {
      const condition = status === undefined ? undefined : { status, ...rest };
      const result = checkCondition('v1.example.com', { condition, isDirect: isDirect, nowMs: 0 });
      const kind = result.status === 'failed' ? result.fixes[0]?.kind : undefined;
      assert.equal(kind, want);
    });
  }
});

describe('certificates', () => {
  const authority = createAuthority('ca');
  const pair = authority.issue({
    commonName: 'x',
    names: ['*.ns.svc', '10.0.0.1'],
    usage: 'server',
  });
  const leaf = new X509Certificate(pair.cert);
  const names = [
    { serverName: 'api.ns.svc', want: 'passed' },
    { serverName: '10.0.0.1', want: 'passed' },
    { serverName: 'api.other.svc', want: 'failed' },
    { serverName: '10.0.0.2', want: 'failed' },
    { serverName: 'x', want: 'failed' },
  ];
  for (const { serverName, want } of names) {
    test(`${serverName} is ${want}`, () => {
      assert.equal(checkServerName(remote(), { leaf, serverName }, context).status, want);
    });
  }

  test('nothing is result where nothing is verified', () => {
    const insecure = remote({ insecureSkipTLSVerify: true });
    assert.equal(checkServerName(insecure, { leaf, serverName: 'y' }, context).status, 'skipped');
    const facts = { chain: [leaf], verifyCode: 'CERT_HAS_EXPIRED', caCertificates: [], nowMs: 0 };
    const result = checkCa(insecure, { ...facts, localCa: undefined }, context);
    assert.equal(result.status, 'skipped');
  });

  test('a client certificate and a missing intermediate certificate are told apart', () => {
    const facts = { chain: [leaf], caCertificates: [authority.cert], localCa: undefined };
    const messageFor = (verifyCode: string) =>
      checkCa(remote(), { ...facts, verifyCode, nowMs: Date.now() }, context).message;
    assert.match(messageFor('INVALID_PURPOSE'), /not a server certificate/);
    assert.match(messageFor('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /no intermediate certificate/);
  });

  const key = pair.key;
  const identity = {
    kind: 'pair',
    certFile: 'a.crt',
    cert: pair.cert,
    key,
    caFile: 'ca.crt',
  } as const;
  const data = {
    'requestheader-client-ca-file': authority.cert,
    'requestheader-allowed-names': '["x"]',
    'requestheader-username-headers': '["x-remote-user"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
  };
  const refused = respond(401);
  const trusts = [
    { name: 'accepted', data, response: respond(200), want: /^presents "x"$/, status: 'passed' },
    {
      name: 'a 401 that the ConfigMap does not explain',
      data,
      response: refused,
      want: /^presents/,
      status: 'passed',
    },
    {
      name: 'another CA, and accepted because of flags',
      data: { ...data, 'requestheader-client-ca-file': createAuthority('other').cert },
      response: respond(200),
      want: /accepted although .* signed by "ca"/,
      status: 'passed',
    },
    {
      name: 'no CA',
      data: {},
      response: refused,
      want: /contains no certificate/,
      status: 'failed',
    },
    {
      name: 'headers that no server reads',
      data: { ...data, 'requestheader-username-headers': '["X-User"]' },
      response: refused,
      want: /X-Remote-User is not in requestheader-username-headers/,
      status: 'failed',
    },
    {
      name: 'an alert',
      data,
      response: failed('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'),
      want: /closes the connection because of the client certificate/,
      status: 'failed',
    },
  ];
  for (const { name, data, response, want, status } of trusts) {
    test(`client certificate: ${name}`, () => {
      const facts = { name: NAME, config: { kind: 'found', value: data } as const, response };
      const result = checkTrust({ ...identity, ca: undefined }, facts, context);
      assert.equal(result.status, status, result.message);
      assert.match(result.message, want);
    });
  }
});

test('fixes never change what another cluster trusts', () => {
  const authority = createAuthority('own');
  const pair = authority.issue({ commonName: 'front-proxy-client', usage: 'client' });
  const identity = { kind: 'pair', certFile: 'a.crt', ...pair, caFile: 'ca.crt' } as const;
  const config = { kind: 'found', value: {} } as const;
  const fixesIn = (isStandalone: boolean) => {
    const facts = { name: NAME, config, response: respond(401) };
    const result = checkTrust({ ...identity, ca: authority.cert }, facts, {
      ...context,
      isStandalone,
    });
    assert.ok(result.status === 'failed');
    return [...result.fixes, ...(result.alternatives ?? [])]
      .map((fix) => fixText(fix, context))
      .join();
  };
  assert.match(fixesIn(false), /patch configmap/);
  assert.match(fixesIn(true), /--requestheader-client-ca-file=ca\.crt/);
  assert.match(fixesIn(true), /forward-bearer-token=true/);
  assert.doesNotMatch(fixesIn(true), /configmap/);
});

describe('what cannot be checked from this machine', () => {
  const target = { host: '10.0.0.1', port: 443, serverName: 'api.ns.svc' };
  const cases = [
    { name: 'silence, and available', code: 'ETIMEDOUT', isAvailable: true, want: 'unknown' },
    { name: 'silence, and not', code: 'ETIMEDOUT', isAvailable: false, want: 'failed' },
    {
      name: 'a refused connection, while available',
      code: 'ECONNREFUSED',
      isAvailable: true,
      want: 'failed',
    },
  ];
  for (const { name, code, isAvailable, want } of cases) {
    test(name, () => {
      const connection = { kind: 'failed', code, message: code } as const;
      const result = checkConnect(remote(), { target, connection }, { objects, isAvailable });
      assert.equal(result.status, want);
    });
  }

  test('a Service that is forbidden is unknown', () => {
    const read = { kind: 'forbidden', message: 'forbidden' } as const;
    const result = checkService(remote(), read, { others: [], slices: [] });
    assert.equal(result.status, 'unknown');
  });
});

describe('a printed fix', () => {
  const fixOf = (result: { status: string; fixes?: readonly Fix[] }): string => {
    const [fix] = result.fixes ?? [];
    assert.ok(fix);
    return fixText(fix, context);
  };
  test('names the same cluster, quoted for a shell', () => {
    const text = fixOf(missingApiService('v1.example.com', [], context));
    const want = "tributary bootstrap example.com | kubectl --context 'a cluster' create -f -";
    assert.equal(text, want);
  });

  test('is a manifest when an object is missing', () => {
    const sibling = apiService({ version: 'v2' }, { 'aggregation.tributary.dev/url': 'https://h' });
    const text = fixOf(missingApiService('v1.example.com', [sibling], context));
    assert.match(text, /^kubectl --context 'a cluster' create -f - <<'EOF'\napiVersion: /);
    assert.match(text, /name: v1\.example\.com/);
    assert.match(text, /aggregation\.tributary\.dev\/url: https:\/\/h/);
    assert.match(text, /\nEOF$/);
  });

  test('has a blank for the port when several match', () => {
    const spec = {
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'b' },
      ],
    };
    const service = { metadata: { name: 'api', namespace: 'ns' }, spec } as unknown as Service;
    const read = { kind: 'found', value: service } as const;
    const text = fixOf(checkService(remote(), read, { others: [], slices: [] }));
    assert.ok(text.endsWith(`-p '{"spec":{"service":{"port":PORT}}}'`), text);
  });
});
