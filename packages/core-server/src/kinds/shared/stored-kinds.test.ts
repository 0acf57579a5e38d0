/** Tests beyond the recorded responses in interop/core/rows/stored-kinds.ts. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ContainerStatus, Node, Pod, PodSpec } from '@tributary/api/core-v1';
import { fieldErrorText, type KubeObject, root } from '@tributary/apimachinery';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { cpuMs } from '../../../../../test/harness/own-time.ts';
import { replicaSetKind } from '../apps/replica-set/kind.ts';
import { scheduleErrors, timeZoneErrors } from '../batch/cron-job/schedule.ts';
import { validateNodeChange } from '../core/node/validation.ts';
import { podColumns } from '../core/pod/columns.ts';
import { qosClassOf } from '../core/pod/qos-class.ts';
import { validateReplicaStatus } from './workload-validation.ts';

const status = (more: object): ContainerStatus =>
  ({
    name: 'a',
    image: 'x',
    imageID: '',
    ready: false,
    restartCount: 0,
    ...more,
  }) as ContainerStatus;
const ended = (exitCode: number, more: object = {}) => ({
  state: { terminated: { exitCode, ...more } },
});
const RUNNING = { ready: true, state: { running: {} } };

describe('the status column of a pod', () => {
  const cases: { name: string; pod: object; want: string[] }[] = [
    { name: 'its phase', pod: { status: { phase: 'Pending' } }, want: ['0/2', 'Pending', '0'] },
    {
      name: 'its reason rather than its phase',
      pod: { status: { phase: 'Failed', reason: 'Evicted' } },
      want: ['0/2', 'Evicted', '0'],
    },
    {
      name: 'what a container waits for',
      pod: {
        status: {
          phase: 'Running',
          containerStatuses: [
            status({ state: { waiting: { reason: 'CrashLoopBackOff' } }, restartCount: 3 }),
            status(RUNNING),
          ],
        },
      },
      want: ['1/2', 'CrashLoopBackOff', '3'],
    },
    {
      name: 'how a container ended',
      pod: { status: { phase: 'Failed', containerStatuses: [status(ended(3))] } },
      want: ['0/2', 'ExitCode:3', '0'],
    },
    {
      name: 'which signal ended a container',
      pod: { status: { phase: 'Failed', containerStatuses: [status(ended(137, { signal: 9 }))] } },
      want: ['0/2', 'Signal:9', '0'],
    },
    {
      name: 'that one still runs when another is completed',
      pod: {
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [status(ended(0, { reason: 'Completed' })), status(RUNNING)],
        },
      },
      want: ['1/2', 'Running', '0'],
    },
    {
      name: 'which init container it is at',
      pod: {
        spec: { containers: [{}, {}], initContainers: [{ name: 'a' }, { name: 'b' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [status(ended(0)), status({ name: 'b', state: { running: {} } })],
        },
      },
      want: ['0/2', 'Init:1/2', '0'],
    },
    {
      name: 'that a sidecar counts',
      pod: {
        spec: { containers: [{}, {}], initContainers: [{ name: 'a', restartPolicy: 'Always' }] },
        status: {
          phase: 'Running',
          initContainerStatuses: [status({ ...RUNNING, started: true, restartCount: 1 })],
          containerStatuses: [status({ ...RUNNING, restartCount: 1 })],
        },
      },
      want: ['2/3', 'Running', '2'],
    },
    {
      name: 'that it is going away',
      pod: {
        metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
        status: { phase: 'Running' },
      },
      want: ['0/2', 'Terminating', '0'],
    },
    {
      name: 'that it waits for a gate',
      pod: {
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      want: ['0/2', 'SchedulingGated', '0'],
    },
  ];
  for (const { name, pod, want } of cases) {
    test(name, () => {
      const whole = { metadata: {}, spec: { containers: [{}, {}] }, ...pod } as unknown as Pod;
      assert.deepEqual(
        podColumns.map(({ cell }) => cell(whole)),
        want,
      );
    });
  }
});

describe('the QoS class of a pod', () => {
  const of = (...resources: object[]) =>
    ({ containers: resources.map((one) => ({ resources: one })) }) as unknown as PodSpec;
  const all = { cpu: '1', memory: '1Gi' };
  const cases = [
    { name: 'nothing', spec: of({}), want: 'BestEffort' },
    { name: 'zero', spec: of({ requests: { cpu: '0' } }), want: 'BestEffort' },
    { name: 'all it may have', spec: of({ limits: all, requests: all }), want: 'Guaranteed' },
    {
      name: 'the same in other words',
      spec: of({ limits: all, requests: { cpu: '1000m', memory: '1024Mi' } }),
      want: 'Guaranteed',
    },
    { name: 'less', spec: of({ limits: all, requests: { cpu: '500m' } }), want: 'Burstable' },
    { name: 'one of two', spec: of({ limits: all, requests: all }, {}), want: 'Burstable' },
  ];
  for (const { name, spec, want } of cases) {
    test(name, () => assert.equal(qosClassOf(spec), want));
  }
});

describe('the schedule of a CronJob', () => {
  const path = root('spec').child('schedule');
  const cases = [
    { schedule: '*/5 * * * *', want: [] },
    { schedule: '0 0,12 1-5 JAN-MAR mon', want: [] },
    { schedule: '@hourly', want: [] },
    { schedule: '', want: ['spec.schedule: Required value'] },
    {
      schedule: '* * * *',
      want: [
        'spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
      ],
    },
    {
      schedule: '* * * * !',
      want: ['spec.schedule: Invalid value: "* * * * !": failed to parse int from !'],
    },
  ];
  for (const { schedule, want } of cases) {
    test(`of ${JSON.stringify(schedule)}`, () => {
      assert.deepEqual(scheduleErrors(schedule, path).map(fieldErrorText), want);
    });
  }

  test('a schedule made for backtracking is refused in linear time', () => {
    const usedMs = cpuMs(() => {
      scheduleErrors(`${'1,'.repeat(50_000)}! * * * *`, path);
      scheduleErrors(`${'a-a'.repeat(50_000)}! * * * *`, path);
    });
    // Ten times the duration on an idle machine; quadratic work takes many seconds.
    assert.ok(usedMs < 500, `${usedMs} ms`);
  });

  test('a time zone must be known', () => {
    assert.deepEqual(timeZoneErrors('Europe/Vienna', path), []);
    assert.equal(timeZoneErrors('Nowhere', path).length, 1);
  });
});

describe('the provider ID of a node', () => {
  const node = (providerID?: string) => ({ spec: { providerID } }) as Node;
  const cases = [
    { name: 'is set once', next: 'a', live: undefined, want: [] },
    { name: 'stays', next: 'a', live: 'a', want: [] },
    {
      name: 'is not modified',
      next: 'b',
      live: 'a',
      want: ['spec.providerID: Invalid value: null: field cannot be modified once set'],
    },
    {
      name: 'is not cleared',
      next: undefined,
      live: 'a',
      want: ['spec.providerID: Invalid value: null: field cannot be cleared once set'],
    },
  ];
  for (const { name, next, live, want } of cases) {
    test(name, () =>
      assert.deepEqual(validateNodeChange(node(next), node(live)).map(fieldErrorText), want),
    );
  }
});

test('no number in the status of a ReplicaSet exceeds its replicas', () => {
  const errors = validateReplicaStatus({ replicas: 1, readyReplicas: 2, availableReplicas: 3 });
  assert.deepEqual(errors.map(fieldErrorText), [
    'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
  ]);
});

describe('a served ReplicaSet', () => {
  let server: TestServer;
  before(async () => {
    const api = defineApi({ group: 'apps', builtIn: true, resources: [replicaSetKind] });
    server = await startTestServer(api);
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  test('the generation counts changes of the spec, not of annotations and status', async () => {
    const sets = server.client(replicaSetKind);
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'main', image: 'app' }] },
    };
    const spec = { selector: { matchLabels: { app: 'a' } }, template };
    const sent = { metadata: { name: 'a' }, spec };
    const created = await sets.create(sent as never);
    assert.equal(created.metadata.generation, 1);
    assert.equal(created.spec.replicas, 1);
    assert.equal((await sets.patch('a', { spec: { replicas: 2 } })).metadata.generation, 2);
    const noted = await sets.patch('a', { metadata: { annotations: { a: 'b' } } });
    assert.equal(noted.metadata.generation, 2);
    const { object } = await server.request(
      'PATCH',
      '/apis/apps/v1/namespaces/default/replicasets/a/status',
      {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { spec: { replicas: 9 }, status: { replicas: 2 } },
      },
    );
    const { metadata, ...rest } = object as KubeObject & { spec: { replicas: number } };
    assert.equal(metadata.generation, 2);
    assert.equal(rest.spec.replicas, 2);
  });
});
