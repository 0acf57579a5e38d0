/** The events are those that kube-apiserver 1.36.3 wrote for the same requests, with our names and times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forbidden, notFound } from '@tributary/apimachinery';
import { requestFor } from '../../test/request-fixture.ts';
import { type AuditObserver, auditLog } from '../operations/audit/audit-log.ts';
import type { AuditLevel, AuditStage } from '../operations/audit/policy.ts';
import type { CredentialNotes } from '../request/authenticator.ts';
import type { ApiRequest, ApiResponse, Handler } from '../request/pipeline.ts';
import { newContext } from '../request/request-context.ts';
import { auditRefusal, withAudit } from './audit.ts';
import { withAuthentication } from './authentication.ts';
import { withAuthorization } from './authorization.ts';

const RECEIVED_MS = Date.parse('2026-11-16T00:37:44.643Z') + 0.792;
const NOW_MS = RECEIVED_MS + 3.45;
const TIMES =
  '"requestReceivedTimestamp":"2026-11-16T00:37:44.643792Z","stageTimestamp":"2026-11-16T00:37:44.647242Z"';
const RECEIVED_TIMES = TIMES.replace('44.647242Z', '44.643792Z');
const ALLOWED =
  ',"annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":""}';
const USER =
  '"user":{"username":"admin","uid":"1","groups":["system:masters","system:authenticated"]},"sourceIPs":["127.0.0.1"],"userAgent":"curl/7.88.1"';

const admin = {
  name: 'admin',
  uid: '1',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

interface Audited {
  readonly target: string;
  readonly level?: AuditLevel;
  readonly method?: string;
  readonly json?: unknown;
  readonly headerLines?: readonly string[];
  readonly omitStages?: AuditStage[];
  readonly response?: (request: ApiRequest) => Promise<ApiResponse>;
  readonly isAllowed?: boolean;
  readonly isKnown?: boolean;
  readonly notes?: CredentialNotes;
}

const ok: Handler = async () => bytes({ kind: 'ConfigMap' });
function bytes(object: object, code = 200): ApiResponse {
  const chunks = [Buffer.from(JSON.stringify(object))];
  return { kind: 'bytes', code, contentType: 'application/json', chunks };
}

async function eventsOf(audited: Audited): Promise<string[]> {
  const { target, method = 'GET', json, headerLines = [], level = 'Metadata' } = audited;
  const lines: string[] = [];
  const counts: AuditObserver = { level() {}, event() {}, lost: assert.fail };
  const rule = { level, users: [], userGroups: [], verbs: [], resources: [], namespaces: [] };
  const log = auditLog({
    policy: {
      rules: [{ ...rule, nonResourceURLs: [], omitStages: [], omitManagedFields: undefined }],
      omitStages: audited.omitStages ?? [],
      omitManagedFields: true,
    },
    destination: {
      write: async (text) => {
        lines.push(...text.trimEnd().split('\n'));
      },
      close: async () => {},
    },
    nowMs: () => NOW_MS,
    observe: counts,
  });
  const { notes } = audited;
  const filters = [
    withAuthentication({
      authenticate: () =>
        audited.isKnown === false
          ? { outcome: 'rejected', reason: 'wrong' }
          : { outcome: 'authenticated', user: admin, ...(notes && { notes }) },
      auditRefusal: auditRefusal(log),
    }),
    withAudit(log),
    withAuthorization({ authorize: () => ({ allowed: audited.isAllowed ?? true }) }),
  ];
  const handler = filters.reduceRight((next, filter) => filter(next), audited.response ?? ok);
  const context = newContext('id', RECEIVED_MS);
  const request = requestFor(target, {
    method,
    target,
    headerLines: ['User-Agent', 'curl/7.88.1', ...headerLines],
    context,
    ...(json !== undefined && { json }),
  });
  const response = await (async () => handler(request))().catch(() => undefined);
  if (response?.kind === 'stream') for (const run of context.endListeners ?? []) run();
  await log.close();
  return lines;
}

const collection = '/api/v1/namespaces/default/configmaps';
const isRead: Pick<Audited, 'omitStages'> = { omitStages: ['RequestReceived'] };
function event(level: string, stage: string, rest: string): string {
  return `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${level}","auditID":"id","stage":"${stage}",${rest}}`;
}

const cases: { name: string; audited: Audited; want: string[] }[] = [
  {
    name: 'a read of what is missing, with bodies',
    audited: {
      target: `${collection}/a?x=<&y=%20z`,
      level: 'RequestResponse',
      response: () => Promise.reject(notFound({ group: '', resource: 'configmaps' }, 'a')),
    },
    want: [
      event(
        'RequestResponse',
        'RequestReceived',
        `"requestURI":"/api/v1/namespaces/default/configmaps/a?x=\\u003c\\u0026y=%20z","verb":"get",${USER},"objectRef":{"resource":"configmaps","namespace":"default","name":"a","apiVersion":"v1"},${RECEIVED_TIMES}`,
      ),
      event(
        'RequestResponse',
        'ResponseComplete',
        `"requestURI":"/api/v1/namespaces/default/configmaps/a?x=\\u003c\\u0026y=%20z","verb":"get",${USER},"objectRef":{"resource":"configmaps","namespace":"default","name":"a","apiVersion":"v1"},"responseStatus":{"metadata":{},"status":"Failure","message":"configmaps \\"a\\" not found","reason":"NotFound","details":{"name":"a","kind":"configmaps"},"code":404},"responseObject":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps \\"a\\" not found","reason":"NotFound","details":{"name":"a","kind":"configmaps"},"code":404},${TIMES}${ALLOWED}`,
      ),
    ],
  },
  {
    name: 'a create, with bodies',
    audited: {
      ...isRead,
      target: `${collection}?fieldManager=m`,
      method: 'POST',
      level: 'RequestResponse',
      json: { kind: 'ConfigMap', metadata: { name: 'a', managedFields: [] }, data: { k: '<v>' } },
      response: async (request) => {
        await request.body();
        return bytes({ kind: 'ConfigMap', metadata: { name: 'a', managedFields: [1] } }, 201);
      },
    },
    want: [
      event(
        'RequestResponse',
        'ResponseComplete',
        `"requestURI":"/api/v1/namespaces/default/configmaps?fieldManager=m","verb":"create",${USER},"objectRef":{"resource":"configmaps","namespace":"default","name":"a","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201},"requestObject":{"kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"\\u003cv\\u003e"}},"responseObject":{"kind":"ConfigMap","metadata":{"name":"a"}},${TIMES}${ALLOWED}`,
      ),
    ],
  },
  {
    name: 'a create, without bodies',
    audited: {
      ...isRead,
      target: '/apis/g.io/v1/namespaces/default/things',
      method: 'POST',
      json: { metadata: { name: 'a' } },
      response: async (request) => {
        await request.body();
        return bytes({}, 201);
      },
    },
    want: [
      event(
        'Metadata',
        'ResponseComplete',
        `"requestURI":"/apis/g.io/v1/namespaces/default/things","verb":"create",${USER},"objectRef":{"resource":"things","namespace":"default","name":"a","apiGroup":"g.io","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":201},${TIMES}${ALLOWED}`,
      ),
    ],
  },
  {
    name: 'a patch, with the patch',
    audited: {
      ...isRead,
      target: `${collection}/a/status`,
      method: 'PATCH',
      level: 'Request',
      json: { data: { l: 'm' } },
      response: async (request) => {
        await request.body();
        return bytes({});
      },
    },
    want: [
      event(
        'Request',
        'ResponseComplete',
        `"requestURI":"/api/v1/namespaces/default/configmaps/a/status","verb":"patch",${USER},"objectRef":{"resource":"configmaps","namespace":"default","name":"a","apiVersion":"v1","subresource":"status"},"responseStatus":{"metadata":{},"code":200},"requestObject":{"data":{"l":"m"}},${TIMES}${ALLOWED}`,
      ),
    ],
  },
  {
    name: 'a request through proxies',
    audited: {
      ...isRead,
      target: '/version',
      headerLines: ['X-Forwarded-For', '10.0.0.1, bad, 10.0.0.2', 'X-Real-Ip', '10.0.0.9'],
    },
    want: [
      event(
        'Metadata',
        'ResponseComplete',
        `"requestURI":"/version","verb":"get",${USER.replace('["127', '["10.0.0.1","10.0.0.2","10.0.0.9","127')},"responseStatus":{"metadata":{},"code":200},${TIMES}${ALLOWED}`,
      ),
    ],
  },
  {
    name: 'a request that is denied',
    audited: {
      ...isRead,
      target: collection,
      isAllowed: false,
    },
    want: [
      event(
        'Metadata',
        'ResponseComplete',
        `"requestURI":"/api/v1/namespaces/default/configmaps","verb":"list",${USER},"objectRef":{"resource":"configmaps","namespace":"default","apiVersion":"v1"},"responseStatus":{"metadata":{},"status":"Failure","message":"configmaps is forbidden: User \\"admin\\" cannot list resource \\"configmaps\\" in API group \\"\\" in the namespace \\"default\\"","reason":"Forbidden","details":{"kind":"configmaps"},"code":403},${TIMES},"annotations":{"authorization.k8s.io/decision":"forbid","authorization.k8s.io/reason":""}`,
      ),
    ],
  },
  {
    name: 'a wrong credential',
    audited: { target: collection, isKnown: false },
    want: [
      event(
        'Metadata',
        'ResponseStarted',
        `"requestURI":"/api/v1/namespaces/default/configmaps","verb":"list","user":{},"sourceIPs":["127.0.0.1"],"userAgent":"curl/7.88.1","objectRef":{"resource":"configmaps","namespace":"default","apiVersion":"v1"},"responseStatus":{"metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401},${TIMES}`,
      ),
    ],
  },
  {
    name: 'a watch, when it begins and when it has ended',
    audited: {
      ...isRead,
      target: `${collection}?watch=1`,
      level: 'RequestResponse',
      response: async () => ({
        kind: 'stream',
        contentType: 'application/json',
        chunks: (async function* () {
          yield Buffer.from('{}\n');
        })(),
      }),
    },
    want: ['ResponseStarted', 'ResponseComplete'].map((stage) =>
      event(
        'RequestResponse',
        stage,
        `"requestURI":"/api/v1/namespaces/default/configmaps?watch=1","verb":"watch",${USER},"objectRef":{"resource":"configmaps","namespace":"default","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":200},${TIMES}${ALLOWED}`,
      ),
    ),
  },
  {
    name: 'a bug of ours',
    audited: {
      ...isRead,
      target: '/version',
      response: () => Promise.reject(new TypeError('<x>')),
    },
    want: [
      event(
        'Metadata',
        'Panic',
        `"requestURI":"/version","verb":"get",${USER},"responseStatus":{"metadata":{},"status":"Failure","message":"APIServer panic'd: \\u003cx\\u003e","reason":"InternalError","code":500},${TIMES}${ALLOWED}`,
      ),
    ],
  },
  { name: 'nothing', audited: { target: '/version', level: 'None' }, want: [] },
];

for (const { name, audited, want } of cases) {
  test(`the audit log has ${name}`, async () => assert.deepEqual(await eventsOf(audited), want));
}

test('a body that is too long is left out, and the event says so', async () => {
  const [line = ''] = await eventsOf({
    ...isRead,
    target: `${collection}/a`,
    level: 'RequestResponse',
    response: async () => bytes({ data: 'x'.repeat(1024 * 1024) }),
  });
  assert.ok(!line.includes('responseObject'));
  assert.match(line, /"audit.k8s.io\/truncated":"true"/);
});

test('what is noted of a credential is in every event', async () => {
  const notes = { annotations: { 'example.com/credential': 'old' } };
  const lines = await eventsOf({ target: collection, notes });
  const events = lines.map((line) => JSON.parse(line) as { annotations: Record<string, string> });
  assert.deepEqual(
    events.map(({ annotations }) => annotations['example.com/credential']),
    ['old', 'old'],
  );
});

test('an authorizer gives its reason to the event', async () => {
  const error = forbidden({ group: '', resource: 'x' }, '', 'because');
  const [line = ''] = await eventsOf({
    ...isRead,
    target: `${collection}/a`,
    response: () => Promise.reject(error),
  });
  assert.match(line, /"reason":"Forbidden"/);
});
