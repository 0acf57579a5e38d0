import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Service } from '@tributary/api/core-v1';
import { createAuthority } from '@tributary/server/pki';
import { readRegistration } from '../registrations/read-registration.ts';
import { isRemote, type RemoteRegistration } from '../registrations/registration.ts';
import type { Fix } from './finding.ts';
import { judgeAuthorization, judgeHeaders } from './judge-access.ts';
import { judgeAuthority, judgeName } from './judge-certificate.ts';
import { judgeCondition } from './judge-condition.ts';
import { judgeDiscovery, judgeOpenApi } from './judge-documents.ts';
import { judgeTrust } from './judge-identity.ts';
import { judgeConnection } from './judge-network.ts';
import { judgeMissing } from './judge-registration.ts';
import { judgeService } from './judge-service.ts';
import type { Answer, Subjects } from './look.ts';
import { fixText } from './report.ts';

const place = {
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

function answer(status: number, body: object | string = '', more: object = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return { kind: 'answer', status, headers, body: Buffer.from(text), tookMs: 3, ...more };
}

const failed = (code: string): Answer => ({ kind: 'failed', code, why: code });
const list = { kind: 'APIResourceList', groupVersion: 'example.com/v1', resources: [] };

describe('discovery', () => {
  const cases: { name: string; answer: Answer; served?: string[]; want: RegExp | undefined }[] = [
    { name: 'a list', answer: answer(200, list), want: undefined },
    { name: 'silence', answer: failed('ETIMEDOUT'), want: /no answer/ },
    { name: 'a reset', answer: failed('ECONNRESET'), want: /fails: ECONNRESET/ },
    { name: 'slowness', answer: answer(200, list, { tookMs: 6_200 }), want: /takes 6\.2 s/ },
    { name: 'a redirect', answer: answer(307, ''), want: /redirected to nowhere \(307\)/ },
    { name: 'a failure', answer: answer(500, { message: 'boom' }), want: /with 500: boom/ },
    { name: 'no JSON', answer: answer(200, '<html>'), want: /no JSON/ },
    { name: 'a JSON list', answer: answer(200, '[]'), want: /no JSON/ },
    { name: 'another kind', answer: answer(200, { kind: 'Status' }), want: /but Status/ },
    {
      name: 'another group',
      answer: answer(200, { ...list, groupVersion: 'other/v1' }),
      want: /the resources of other\/v1/,
    },
    {
      name: 'a list without resources',
      answer: answer(200, { ...list, resources: null }),
      want: /without resources/,
    },
    { name: 'no group', answer: answer(404), want: /serves nothing of example\.com/ },
    { name: 'other versions', answer: answer(404), served: ['v2'], want: /only v2/ },
  ];
  for (const { name, answer, served, want } of cases) {
    test(name, () => {
      const facts = { answer, served, apiService: apiService(), registered: [], objects };
      const judgement = judgeDiscovery(remote(), facts);
      assert.equal(judgement.outcome, want === undefined ? 'well' : 'broken', judgement.words);
      if (want !== undefined) assert.match(judgement.words, want);
    });
  }
});

describe('headers and authorization', () => {
  const review =
    'subjectaccessreviews.authorization.k8s.io is forbidden: User "system:serviceaccount:ns:api" cannot create resource "subjectaccessreviews"';
  const nobody: Subjects = { kind: 'found', value: [] };
  const reader: Subjects = { kind: 'found', value: ['ServiceAccount:ns:api'] };
  const hidden: Subjects = { kind: 'refused', why: 'forbidden' };
  const forbidden = (user: string) => ({
    message: `forbidden: User "${user}" cannot get path "/"`,
  });
  const cases: {
    name: string;
    answer: Answer;
    readers?: Subjects;
    want: string;
    fixes?: number;
  }[] = [
    { name: '200', answer: answer(200, list), want: 'well' },
    { name: '404 is for later', answer: answer(404), want: 'well' },
    { name: 'no answer', answer: failed('ETIMEDOUT'), want: 'unseen' },
    { name: '401', answer: answer(401), want: 'broken', fixes: 2 },
    {
      name: '401 of one who may read',
      answer: answer(401),
      readers: reader,
      want: 'broken',
      fixes: 1,
    },
    {
      name: '401, and who may read is hidden',
      answer: answer(401),
      readers: hidden,
      want: 'broken',
      fixes: 2,
    },
    {
      name: 'taken for nobody',
      answer: answer(403, forbidden('system:anonymous')),
      want: 'broken',
    },
    {
      name: 'taken for whom it is',
      answer: answer(403, forbidden('system:kube-aggregator')),
      want: 'well',
    },
    { name: 'a review of a stranger', answer: answer(500, { message: review }), want: 'broken' },
    {
      name: 'a review by a reader',
      answer: answer(500, { message: review }),
      readers: reader,
      want: 'well',
    },
  ];
  for (const { name, answer, readers = nobody, want, fixes } of cases) {
    test(`headers: ${name}`, () => {
      const judgement = judgeHeaders({ answer, readers, namespace: 'ns', caFile: undefined });
      assert.equal(judgement.outcome, want, judgement.words);
      if (judgement.outcome === 'broken' && fixes !== undefined) {
        assert.equal(judgement.fixes.length, fixes);
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
  const authorizations: { name: string; answer: Answer; want: readonly string[] | undefined }[] = [
    { name: 'allowed', answer: answer(200, list), want: undefined },
    {
      name: 'an account without reviews',
      answer: answer(500, { message: review }),
      want: binding('--serviceaccount=ns:api'),
    },
    {
      name: 'a user without reviews',
      answer: answer(403, { message: review.replace('system:serviceaccount:ns:api', 'jane') }),
      want: binding('--user=jane'),
    },
    {
      name: 'reviews fail for nobody in particular',
      answer: answer(500, 'subjectaccessreviews: connection refused'),
      want: binding('--serviceaccount=ACCOUNT'),
    },
  ];
  for (const { name, answer, want } of authorizations) {
    test(`authorization: ${name}`, () => {
      const judgement = judgeAuthorization(answer, 'ns');
      const fix = judgement.outcome === 'broken' ? judgement.fixes[0] : undefined;
      assert.deepEqual(fix?.kind === 'kubectl' ? fix.args : undefined, want);
    });
  }
});

describe('OpenAPI', () => {
  const [v3, v2] = [answer(200, { openapi: '3.0.0' }), answer(200, { swagger: '2.0' })];
  const cases = [
    { name: 'both', v3, v2, want: 'well' },
    { name: 'v3 alone', v3, v2: answer(404), want: 'well' },
    { name: 'v2 alone', v3: answer(404), v2, want: 'well' },
    { name: 'neither', v3: answer(404), v2: answer(404), want: 'broken' },
    { name: 'a damaged v3', v3: answer(200, '{'), v2, want: 'broken' },
    { name: 'a v2 that is something else', v3, v2: answer(200, {}), want: 'broken' },
    { name: 'a silent v2', v3, v2: failed('ETIMEDOUT'), want: 'broken' },
  ];
  for (const { name, want, ...documents } of cases) {
    test(name, () => assert.equal(judgeOpenApi(documents).outcome, want));
  }
});

describe('the condition', () => {
  const said = { reason: 'FailedDiscoveryCheck', message: 'timed out' };
  const cases = [
    { name: 'True', status: 'True', isSeen: true, want: undefined },
    { name: 'False, out of date', status: 'False', isSeen: true, want: 'kubectl' },
    { name: 'False, from memory', status: 'False', isSeen: false, want: 'server' },
    { name: 'none', status: undefined, isSeen: true, want: 'kubectl' },
  ];
  for (const { name, status, isSeen, want } of cases) {
    test(name, () => {
      const condition = status === undefined ? undefined : { status, ...said };
      const judgement = judgeCondition('v1.example.com', { condition, isSeen, nowMs: 0 });
      const kind = judgement.outcome === 'broken' ? judgement.fixes[0]?.kind : undefined;
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
    { serverName: 'api.ns.svc', want: 'well' },
    { serverName: '10.0.0.1', want: 'well' },
    { serverName: 'api.other.svc', want: 'broken' },
    { serverName: '10.0.0.2', want: 'broken' },
    { serverName: 'x', want: 'broken' },
  ];
  for (const { serverName, want } of names) {
    test(`${serverName} is ${want}`, () => {
      assert.equal(judgeName(remote(), { leaf, serverName }, place).outcome, want);
    });
  }

  test('nothing is judged where nothing is verified', () => {
    const careless = remote({ insecureSkipTLSVerify: true });
    assert.equal(judgeName(careless, { leaf, serverName: 'y' }, place).outcome, 'skipped');
    const facts = { chain: [leaf], verifyCode: 'CERT_HAS_EXPIRED', authorities: [], nowMs: 0 };
    const judged = judgeAuthority(careless, { ...facts, madeAuthority: undefined }, place);
    assert.equal(judged.outcome, 'skipped');
  });

  test('a certificate for clients, and one whose intermediate is missing', () => {
    const facts = { chain: [leaf], authorities: [authority.cert], madeAuthority: undefined };
    const words = (verifyCode: string) =>
      judgeAuthority(remote(), { ...facts, verifyCode, nowMs: Date.now() }, place).words;
    assert.match(words('INVALID_PURPOSE'), /not for servers/);
    assert.match(words('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), /no intermediate certificate/);
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
  const refused = answer(401);
  const trusts = [
    { name: 'believed', data, answer: answer(200), want: /^shows "x"$/, outcome: 'well' },
    {
      name: 'a 401 that nothing published explains',
      data,
      answer: refused,
      want: /^shows/,
      outcome: 'well',
    },
    {
      name: 'another authority, and believed by flags',
      data: { ...data, 'requestheader-client-ca-file': createAuthority('other').cert },
      answer: answer(200),
      want: /believed although .* signed by "ca"/,
      outcome: 'well',
    },
    {
      name: 'no authority',
      data: {},
      answer: refused,
      want: /holds nothing/,
      outcome: 'broken',
    },
    {
      name: 'headers that nobody reads',
      data: { ...data, 'requestheader-username-headers': '["X-User"]' },
      answer: refused,
      want: /X-Remote-User is not among requestheader-username-headers/,
      outcome: 'broken',
    },
    {
      name: 'an alert',
      data,
      answer: failed('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'),
      want: /breaks off the connection because of the client certificate/,
      outcome: 'broken',
    },
  ];
  for (const { name, data, answer, want, outcome } of trusts) {
    test(`client certificate: ${name}`, () => {
      const facts = { name: NAME, trust: { kind: 'found', value: data } as const, answer };
      const judgement = judgeTrust({ ...identity, ca: undefined }, facts, place);
      assert.equal(judgement.outcome, outcome, judgement.words);
      assert.match(judgement.words, want);
    });
  }
});

test('nobody is told to change what a cluster trusts that is not theirs', () => {
  const authority = createAuthority('own');
  const pair = authority.issue({ commonName: 'front-proxy-client', usage: 'client' });
  const identity = { kind: 'pair', certFile: 'a.crt', ...pair, caFile: 'ca.crt' } as const;
  const trust = { kind: 'found', value: {} } as const;
  const fixesIn = (isStandalone: boolean) => {
    const facts = { name: NAME, trust, answer: answer(401) };
    const judged = judgeTrust({ ...identity, ca: authority.cert }, facts, {
      ...place,
      isStandalone,
    });
    assert.ok(judged.outcome === 'broken');
    return [...judged.fixes, ...(judged.otherwise ?? [])].map((fix) => fixText(fix, place)).join();
  };
  assert.match(fixesIn(false), /patch configmap/);
  assert.match(fixesIn(true), /--requestheader-client-ca-file=ca\.crt/);
  assert.match(fixesIn(true), /forward-bearer-token=true/);
  assert.doesNotMatch(fixesIn(true), /configmap/);
});

describe('what cannot be seen', () => {
  const target = { host: '10.0.0.1', port: 443, serverName: 'api.ns.svc' };
  const cases = [
    { name: 'silence, and available', code: 'ETIMEDOUT', isAvailable: true, want: 'unseen' },
    { name: 'silence, and not', code: 'ETIMEDOUT', isAvailable: false, want: 'broken' },
    { name: 'refused, whatever is said', code: 'ECONNREFUSED', isAvailable: true, want: 'broken' },
  ];
  for (const { name, code, isAvailable, want } of cases) {
    test(name, () => {
      const connection = { kind: 'failed', code, why: code } as const;
      const judgement = judgeConnection(remote(), { target, connection }, { objects, isAvailable });
      assert.equal(judgement.outcome, want);
    });
  }

  test('a service that may not be read is no broken one', () => {
    const seen = { kind: 'refused', why: 'forbidden' } as const;
    const judgement = judgeService(remote(), seen, { others: [], slices: [] });
    assert.equal(judgement.outcome, 'unseen');
  });
});

describe('what is printed', () => {
  const fixOf = (judgement: { outcome: string; fixes?: readonly Fix[] }): string => {
    const [fix] = judgement.fixes ?? [];
    assert.ok(fix);
    return fixText(fix, place);
  };
  test('is about the same cluster, and quoted for a shell', () => {
    const text = fixOf(judgeMissing('v1.example.com', [], place));
    const want = "tributary bootstrap example.com | kubectl --context 'a cluster' create -f -";
    assert.equal(text, want);
  });

  test('is a manifest where something has to be made', () => {
    const sibling = apiService({ version: 'v2' }, { 'aggregation.tributary.dev/url': 'https://h' });
    const text = fixOf(judgeMissing('v1.example.com', [sibling], place));
    assert.match(text, /^kubectl --context 'a cluster' create -f - <<'EOF'\napiVersion: /);
    assert.match(text, /name: v1\.example\.com/);
    assert.match(text, /aggregation\.tributary\.dev\/url: https:\/\/h/);
    assert.match(text, /\nEOF$/);
  });

  test('has a blank for a port where several would do', () => {
    const spec = {
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'b' },
      ],
    };
    const service = { metadata: { name: 'api', namespace: 'ns' }, spec } as unknown as Service;
    const seen = { kind: 'found', value: service } as const;
    const text = fixOf(judgeService(remote(), seen, { others: [], slices: [] }));
    assert.ok(text.endsWith(`-p '{"spec":{"service":{"port":PORT}}}'`), text);
  });
});
