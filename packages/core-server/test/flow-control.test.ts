/** Priority and fairness in a running control plane: bootstrap objects, response headers and rejections. */

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { FlowSchema, PriorityLevelConfiguration } from '@tributary/api/flowcontrol-v1';
import type { KubeObject } from '@tributary/apimachinery';
import { flowSchemas, priorityLevelConfigurations } from '@tributary/client/controller';
import { parseTokenFile } from '@tributary/server';
import { httpsRequest, httpsStream } from '../../../test/harness/index.ts';
import { bootstrapObjects } from '../src/flow-control/bootstrap-objects.ts';
import { ensureFlowControl } from '../src/flow-control/ensure-configuration.ts';
import { classificationRows, classifiedAs } from './classification-rows.ts';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

const signal = new AbortController().signal;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const { tokens } = parseTokenFile('mary-token,mary,1,"dev"\nslow-token,slow,2,"dev"\n');

suite('flow control', () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore({ config: { tokens } });
  });
  after(() => core[Symbol.asyncDispose]());
  const schemas = () => core.admin.resource<FlowSchema>(flowSchemas);
  const levels = () => core.admin.resource<PriorityLevelConfiguration>(priorityLevelConfigurations);
  const ask = (path: string, more: object = {}) =>
    httpsRequest(core.server.url + path, { ca: core.pki.servingCa, ...more });
  const admin = () => ({ cert: core.pki.admin.cert, key: core.pki.admin.key });

  test('starts with the bootstrap objects of upstream, none of them dangling', async () => {
    const wanted = bootstrapObjects();
    const { items } = await eventually(
      () => schemas().listAll(),
      (list) => list.items.every(({ status }) => status.conditions?.length === 1),
    );
    const named = (list: readonly { metadata: { name?: string } }[]) =>
      list.map(({ metadata }) => metadata.name).sort();
    assert.deepEqual(named(items), named(wanted.schemas));
    for (const item of items) {
      const want = wanted.schemas.find(({ metadata }) => metadata.name === item.metadata.name);
      assert.deepEqual(item.spec, want?.spec);
      assert.equal(item.status.conditions?.[0]?.status, 'False');
    }
    assert.deepEqual(named((await levels().listAll()).items), named(wanted.levels));
  });

  test('creates deleted bootstrap objects again and keeps modified ones', async () => {
    await schemas().delete('probes');
    await levels().delete('catch-all');
    const merge = (spec: object, annotation: string) => ({
      kind: 'merge' as const,
      body: {
        metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': annotation } },
        spec,
      },
    });
    await schemas().patch('global-default', merge({ matchingPrecedence: 9800 }, 'false'));
    await schemas().patch('service-accounts', merge({ matchingPrecedence: 9001 }, 'true'));
    await ensureFlowControl({ client: core.server.client, signal });
    assert.equal((await schemas().get('probes')).spec.matchingPrecedence, 2);
    assert.equal((await levels().get('catch-all')).spec.limited?.nominalConcurrencyShares, 5);
    assert.equal((await schemas().get('global-default')).spec.matchingPrecedence, 9800);
    assert.equal((await schemas().get('service-accounts')).spec.matchingPrecedence, 9000);
  });

  test('updates the condition Dangling of FlowSchemas', async () => {
    const spec = { priorityLevelConfiguration: { name: 'later' }, matchingPrecedence: 77 };
    await schemas().create({ metadata: { name: 'early' }, spec, status: {} });
    const dangling = async () => (await schemas().get('early')).status.conditions?.[0];
    const missing = await eventually(dangling, (condition) => condition?.status === 'True');
    assert.deepEqual(
      [missing?.reason, missing?.message],
      [
        'NotFound',
        'This FlowSchema references the PriorityLevelConfiguration object named "later" but there is no such object',
      ],
    );
    const limited = { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } };
    await levels().create({
      metadata: { name: 'later' },
      spec: { type: 'Limited', limited },
      status: {},
    });
    await eventually(dangling, (condition) => condition?.reason === 'Found');
  });

  test('lists FlowSchemas in matching order', async () => {
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
    const response = await ask(path, { headers: { accept: TABLE }, ...admin() });
    const { rows } = response.json() as { rows: { cells: [string, string, number] }[] };
    const precedences = rows.map(({ cells }) => cells[2]);
    assert.deepEqual(
      precedences,
      [...precedences].sort((a, b) => a - b),
    );
    assert.deepEqual([rows[0]?.cells[0], rows.at(-1)?.cells[0]], ['exempt', 'catch-all']);
  });

  const classified: readonly [name: string, path: string, token: string, schema: string][] = [
    ['a read', '/api/v1/namespaces/default', 'admin', 'exempt'],
    ['what is missing', '/api/v1/namespaces/missing', 'admin', 'exempt'],
    ['what is forbidden', '/api/v1/secrets', 'mary-token', 'global-default'],
    ['a probe of nobody', '/readyz', '', 'probes'],
    ['a path of nobody', '/version', '', 'global-default'],
    ['an unknown path', '/nothing', 'mary-token', 'global-default'],
  ];
  for (const [name, path, token, schema] of classified) {
    test(`sets response headers of the classification: ${name}`, async () => {
      const who = token === 'admin' ? admin() : token === '' ? {} : { token };
      const { headers } = await ask(path, who);
      const { metadata, spec } = await schemas().get(schema);
      const level = await levels().get(spec.priorityLevelConfiguration.name);
      assert.equal(headers['x-kubernetes-pf-flowschema-uid'], metadata.uid);
      assert.equal(headers['x-kubernetes-pf-prioritylevel-uid'], level.metadata.uid);
    });
  }

  test('does not classify unauthenticated requests', async () => {
    const { status, headers } = await ask('/api/v1/namespaces', { token: 'wrong' });
    assert.equal(status, 401);
    assert.equal(headers['x-kubernetes-pf-flowschema-uid'], undefined);
  });

  test('rejects with 429 and the message of upstream, and watches hold no seat', async () => {
    await tiny();
    const path = '/api/v1/namespaces/default/configmaps';
    // Many more watches than seats.
    const watches = await Promise.all(
      Array.from({ length: 12 }, () =>
        httpsStream(`${core.server.url}${path}?watch=1`, {
          ca: core.pki.servingCa,
          token: 'slow-token',
        }),
      ),
    );
    assert.deepEqual([...new Set(watches.map(({ status }) => status))], [200]);
    const uid = (await schemas().get('tiny')).metadata.uid;
    assert.equal(watches[0]?.headers['x-kubernetes-pf-flowschema-uid'], uid);
    const held: Promise<unknown>[] = [];
    const leave = new AbortController();
    for (let at = 0; at < 40; at += 1) held.push(slowWrite(leave.signal));
    const refused = await eventually(
      () => ask(path, { token: 'slow-token' }),
      ({ status }) => status === 429,
    );
    const body = refused.json() as KubeObject & { message: string; reason: string };
    assert.equal(body.message, 'Too many requests, please try again later.');
    assert.equal(body.reason, 'TooManyRequests');
    assert.equal(refused.headers['x-kubernetes-pf-flowschema-uid'], uid);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    // Other requests are served meanwhile.
    assert.equal((await ask('/readyz')).status, 200);
    assert.equal((await ask(path, admin())).status, 200);
    leave.abort();
    await Promise.allSettled(held);
    await Promise.all(watches.map((watch) => watch.close()));
    await eventually(executing, (seats) => seats === 0);
    assert.equal((await ask(path, { token: 'slow-token' })).status, 200);
  });

  /** Executing requests except those of administrators, who read the metric. */
  async function executing(): Promise<number> {
    const { body } = await ask('/metrics', admin());
    return [
      ...body.matchAll(
        /^apiserver_flowcontrol_current_executing_seats\{.*priority_level="(.*)"\} (\d+)$/gm,
      ),
    ]
      .filter(([, level]) => level !== 'exempt')
      .reduce((sum, [, , seats]) => sum + Number(seats), 0);
  }

  /** A write whose body never ends keeps its seat. */
  async function slowWrite(cancelled: AbortSignal): Promise<void> {
    const url = new URL('/api/v1/namespaces/default/configmaps', core.server.url);
    const { request } = await import('node:https');
    await new Promise<void>((resolve) => {
      const sent = request(url, {
        method: 'POST',
        ca: core.pki.servingCa,
        agent: false,
        headers: {
          authorization: 'Bearer slow-token',
          'content-type': 'application/json',
          'content-length': '1000',
        },
      });
      sent.on('error', () => resolve());
      sent.on('response', (response) => {
        response.resume();
        resolve();
      });
      sent.on('close', () => resolve());
      cancelled.addEventListener('abort', () => sent.destroy());
      sent.write('{');
    });
  }

  /** A level with three seats for one user with all permissions. */
  async function tiny(): Promise<void> {
    await core.admin
      .resource<KubeObject>({
        group: 'rbac.authorization.k8s.io',
        version: 'v1',
        plural: 'clusterrolebindings',
        namespaced: false,
      })
      .create({
        metadata: { name: 'slow' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'cluster-admin',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'slow' }],
      } as never);
    const limited = {
      nominalConcurrencyShares: 1,
      borrowingLimitPercent: 0,
      limitResponse: { type: 'Reject' },
    };
    await levels().create({
      metadata: { name: 'tiny' },
      spec: { type: 'Limited', limited },
      status: {},
    });
    const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
    await schemas().create({
      metadata: { name: 'tiny' },
      spec: {
        priorityLevelConfiguration: { name: 'tiny' },
        matchingPrecedence: 50,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'slow' } }],
            resourceRules: [{ ...all, clusterScope: true }],
          },
        ],
      },
      status: {},
    });
    const uid = (await schemas().get('tiny')).metadata.uid;
    await eventually(
      () => ask('/api/v1/namespaces/default/configmaps', { token: 'slow-token' }),
      ({ status, headers }) => status === 200 && headers['x-kubernetes-pf-flowschema-uid'] === uid,
    );
  }
});

suite('a control plane as it begins', () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
  });
  after(() => core[Symbol.asyncDispose]());

  for (const row of classificationRows) {
    test(`classifies as upstream: ${row.user} ${row.method ?? 'GET'} ${row.path}`, async () => {
      const { cert, key } = core.pki.admin;
      const server = { url: core.server.url, ca: core.pki.servingCa, cert, key };
      assert.equal(await classifiedAs(server, row), row.schema);
    });
  }
});
