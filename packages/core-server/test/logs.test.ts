/** The JSON log of `tributary up`: one line per occurrence, without secrets. */
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { request as httpsRequestOf } from 'node:https';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { smallDisk } from '../../../test/faults/small-disk.ts';
import { createScope, eventually, httpsRequest } from '../../../test/harness/index.ts';
import { type RunningCore, startRunningCore } from './running-core.ts';

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

const TOKENS = [
  'admin-s3cret,admin,uid-of-admin,"system:masters"',
  'alice-s3cret,alice,uid-of-alice,"dev"',
];
const WRONG =
  'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMifQ.c2lnbmVk';

suite('the log', () => {
  const scope = createScope('logs');
  let core: RunningCore;
  const send = (method: string, path: string, body?: object, token = 'admin-s3cret') =>
    httpsRequest(core.url + path, {
      method,
      ca: core.ca,
      token,
      headers: { 'user-agent': 'log-test' },
      ...(body && { body }),
    });
  const lines = (): Line[] =>
    core.process
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line);
  /** With a URI, only lines about that request: on a busy machine other requests may be slow, too. */
  const lineWith = (msg: string, uri?: unknown): Promise<Line> =>
    eventually(
      () => `a line says ${msg}: ${core.process.log()}`,
      () => lines().find((line) => line.msg === msg && (uri === undefined || line.URI === uri)),
      { withinMs: 60_000, everyMs: 50 },
    );

  before(async () => {
    core = await startRunningCore(scope, {
      tokens: TOKENS,
      flags: () => ['--logging-format=json'],
    });
  });
  after(() => scope.close());

  /** A request whose body is complete when a promise resolves. */
  const slowly = (token: string, complete: Promise<unknown>): Promise<number> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ metadata: { generateName: 'slow-' } });
      const sent = httpsRequestOf(
        `${core.url}/api/v1/namespaces/default/configmaps?access_token=in-query-s3cret`,
        {
          method: 'POST',
          ca: core.ca,
          agent: false,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': String(body.length),
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.write(body.slice(0, 5));
      void complete.then(() => sent.end(body.slice(5)));
    });

  /** Above the server's threshold for slow requests. */
  const slowMs = 800;

  /** In this order; each triggers an occurrence that is logged. */
  const cases: readonly {
    readonly name: string;
    readonly provoke?: () => Promise<unknown>;
    readonly msg: string;
    readonly want: Readonly<Record<string, unknown>>;
  }[] = [
    { name: 'a start', msg: 'Started', want: { level: 'info', v: 0, storage: 'sqlite' } },
    { name: 'new certificates', msg: 'Generated certificates', want: { level: 'info', v: 0 } },
    {
      name: 'a rejected token',
      provoke: () => send('GET', '/api/v1/namespaces?token=in-query-s3cret', undefined, WRONG),
      msg: 'Unable to authenticate the request',
      want: {
        level: 'error',
        verb: 'LIST',
        URI: '/api/v1/namespaces?token=REDACTED',
        userAgent: 'log-test',
        resp: 401,
      },
    },
    {
      name: 'a slow request',
      provoke: () => slowly('admin-s3cret', sleep(slowMs)),
      msg: 'Slow request',
      want: {
        level: 'info',
        verb: 'POST',
        URI: '/api/v1/namespaces/default/configmaps?access_token=REDACTED',
        resp: 201,
      },
    },
    {
      name: 'rejected requests',
      provoke: async () => {
        await flowForAlice();
        // One seat: other requests are rejected while the first one waits for its body.
        const rejected = Promise.withResolvers<void>();
        const sent = Array.from({ length: 8 }, async () => {
          const code = await slowly('alice-s3cret', rejected.promise);
          if (code === 429) rejected.resolve();
          return code;
        });
        const codes = await Promise.all(sent);
        assert.ok(codes.includes(429), String(codes));
      },
      msg: 'Rejecting requests',
      want: {
        level: 'info',
        priorityLevel: 'tiny',
        flowSchema: 'tiny',
        reason: 'concurrency-limit',
        count: 1,
      },
    },
    {
      name: 'a changed certificate',
      provoke: () => appendFile(join(core.dataDir, 'pki', 'apiserver.crt'), '\n'),
      msg: 'Reloaded serving certificate',
      want: { level: 'info', v: 0 },
    },
    {
      name: 'an invalid certificate',
      provoke: () =>
        appendFile(
          join(core.dataDir, 'pki', 'ca.crt'),
          '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
        ),
      msg: 'Failed to reload client CA, keeping the previous one',
      want: { level: 'error' },
    },
    {
      name: 'a controller failure',
      provoke: deleteUnreadable,
      msg: 'Reconcile failed',
      want: { level: 'error', name: 'namespace', key: 'unreadable' },
    },
    {
      name: 'a lost store',
      provoke: loseStore,
      msg: 'Storage is unavailable',
      want: { level: 'error' },
    },
    {
      name: 'a stop',
      provoke: () => core.process.stop(),
      msg: 'Stopped',
      want: { level: 'info', v: 0 },
    },
  ];
  for (const { name, provoke, msg, want } of cases) {
    test(`has ${name}`, async () => {
      await provoke?.();
      const line = await lineWith(msg, want.URI);
      assert.deepEqual(
        Object.fromEntries(Object.keys(want).map((field) => [field, line[field]])),
        want,
      );
    });
  }

  test('is JSON, line by line, with a time and a level', () => {
    const all = core.process.log().split('\n');
    const nowMs = Date.now();
    const own = all.filter((line) => line.startsWith('{'));
    assert.ok(own.length >= cases.length);
    for (const line of lines()) {
      assert.ok(['info', 'error'].includes(String(line.level)), JSON.stringify(line));
      assert.ok(Math.abs(Number(line.ts) - nowMs) < 600_000, `${line.ts}, now ${nowMs}`);
      assert.equal(line.level === 'error', 'err' in line);
    }
  });

  test('contains no secret', async () => {
    const log = core.process.log();
    const pki = (file: string) => readFile(join(core.dataDir, 'pki', file), 'utf8');
    const keys = await Promise.all(['apiserver.key', 'ca.key', 'sa.key'].map(pki));
    const secrets = [
      ...['admin-s3cret', 'alice-s3cret', 'in-query-s3cret', WRONG],
      ...WRONG.split('.'),
      ...keys.flatMap((key) => key.split('\n').filter((line) => line.length === 64)),
    ];
    assert.ok(secrets.length > 10);
    for (const secret of secrets) assert.ok(!log.includes(secret), secret);
  });

  async function flowForAlice(): Promise<void> {
    const flowcontrol = '/apis/flowcontrol.apiserver.k8s.io/v1';
    const made = await Promise.all([
      send('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name: 'alice' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'cluster-admin',
        },
        subjects: [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }],
      }),
      send('POST', `${flowcontrol}/prioritylevelconfigurations`, {
        metadata: { name: 'tiny' },
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 1,
            borrowingLimitPercent: 0,
            limitResponse: { type: 'Reject' },
          },
        },
      }),
      send('POST', `${flowcontrol}/flowschemas`, {
        metadata: { name: 'tiny' },
        spec: {
          priorityLevelConfiguration: { name: 'tiny' },
          matchingPrecedence: 50,
          rules: [
            {
              subjects: [{ kind: 'User', user: { name: 'alice' } }],
              resourceRules: [
                { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] },
              ],
            },
          ],
        },
      }),
    ]);
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201],
    );
    const { metadata } = made[2].json() as { metadata: { uid: string } };
    await eventually('the flow of alice is in force', async () => {
      const path = '/api/v1/namespaces/default/configmaps?limit=1';
      const { status, headers } = await send('GET', path, undefined, 'alice-s3cret');
      return status === 200 && headers['x-kubernetes-pf-flowschema-uid'] === metadata.uid;
    });
  }

  /** A namespace with an object that cannot be converted: its webhook does not listen. */
  async function deleteUnreadable(): Promise<void> {
    const group = 'logs.example.com';
    const schema = { openAPIV3Schema: { type: 'object' } };
    const version = (name: string, storage: boolean) => ({ name, storage, served: true, schema });
    const clientConfig = { url: 'https://127.0.0.1:1/convert' };
    const webhook = { clientConfig, conversionReviewVersions: ['v1'] };
    const made = await Promise.all([
      send('POST', '/api/v1/namespaces', { metadata: { name: 'unreadable' } }),
      send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', kind: 'Thing' },
          versions: [version('v2', false), version('v1', true)],
          conversion: { strategy: 'Webhook', webhook },
        },
      }),
    ]);
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201],
    );
    const things = `/apis/${group}/v1/namespaces/unreadable/things`;
    const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' } };
    await eventually(
      'things are served',
      async () => (await send('POST', things, thing)).status === 201,
    );
    const { status } = await send('DELETE', '/api/v1/namespaces/unreadable');
    assert.equal(status, 200);
  }

  async function loseStore(): Promise<void> {
    const skipped = (why?: string) => assert.fail(why);
    const disk = await smallDisk({ ...scope, skip: skipped }, 'limit');
    await disk?.fill(core.process.pid);
    const data = { filler: 'x'.repeat(100_000) };
    for (let at = 0; at < 20; at += 1) {
      const path = '/api/v1/namespaces/default/configmaps';
      const { status } = await send('POST', path, { metadata: { generateName: 'fill-' }, data });
      if (status >= 500) return;
    }
    assert.fail('the store takes everything');
  }
});
