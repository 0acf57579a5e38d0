/** Tests beyond the recorded responses in interop/core/rows/workloads.ts. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Deployment } from '@tributary/api/apps-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { defineApi } from '@tributary/server/definition';
import { startTestServer, type TestServer } from '@tributary/server/testing';
import { cpuMs } from '../../../../../../test/harness/own-time.ts';
import { defaultPullPolicy } from '../../core/pod-template/image-name.ts';
import { deploymentKind } from './kind.ts';
import { validateDeploymentUpdate } from './validation.ts';

const sent = (more: object = {}) =>
  ({
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'main', image: 'app' }] },
      },
      ...more,
    },
  }) as unknown as Deployment;

describe('the default imagePullPolicy', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const cases = [
    { image: 'app', policy: 'Always' },
    { image: 'app:latest', policy: 'Always' },
    { image: 'registry.example.com:5000/team/app', policy: 'Always' },
    { image: `app:latest@${digest}`, policy: 'Always' },
    { image: 'app:1', policy: 'IfNotPresent' },
    { image: `app@${digest}`, policy: 'IfNotPresent' },
    { image: 'App', policy: 'IfNotPresent' },
    { image: '', policy: 'IfNotPresent' },
    { image: 'a'.repeat(5_000), policy: 'IfNotPresent' },
  ];
  for (const { image, policy } of cases) {
    test(`${image.slice(0, 60)}: ${policy}`, () => {
      assert.equal(defaultPullPolicy(image), policy);
    });
  }

  test('an image name made for backtracking takes linear time', () => {
    const usedMs = cpuMs(() => {
      defaultPullPolicy(`${'a-'.repeat(2_000)}!`);
      defaultPullPolicy(`${'a.'.repeat(2_000)}/`);
    });
    assert.ok(usedMs < 500, `${usedMs} ms`);
  });
});

describe('a served deployment', () => {
  let server: TestServer;
  before(async () => {
    const api = defineApi({ group: 'apps', builtIn: true, resources: [deploymentKind] });
    server = await startTestServer(api);
  });
  after(() => server.close());
  beforeEach(() => server.reset());

  test('the generation counts changes of the spec and annotations, not of labels and status', async () => {
    const deployments = server.client(deploymentKind);
    const generation = async (patch: object) =>
      (await deployments.patch('a', patch)).metadata.generation;
    assert.equal((await deployments.create(sent())).metadata.generation, 1);
    assert.equal(await generation({ spec: { replicas: 2 } }), 2);
    assert.equal(await generation({ metadata: { annotations: { a: 'b' } } }), 3);
    assert.equal(await generation({ metadata: { annotations: { a: 'b' } } }), 3);
    assert.equal(await generation({ metadata: { labels: { a: 'b' } } }), 3);
    const status = '/apis/apps/v1/namespaces/default/deployments/a/status';
    const patched = await server.request('PATCH', status, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { status: { replicas: 2 } },
    });
    assert.equal(patched.status, 200);
    assert.equal((patched.object as Deployment).metadata.generation, 3);
  });

  test('the scale of a deployment has its selector in query form', async () => {
    const matchExpressions = [{ key: 'tier', operator: 'In', values: ['y', 'x', 'x'] }];
    const labels = { app: 'a', tier: 'x' };
    await server.client(deploymentKind).create(
      sent({
        selector: { matchLabels: { app: 'a' }, matchExpressions },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'main', image: 'app' }] },
        },
      }),
    );
    const { object } = await server.request(
      'GET',
      '/apis/apps/v1/namespaces/default/deployments/a/scale',
    );
    const { spec, status } = object as { spec: unknown; status: unknown };
    assert.deepEqual(spec, { replicas: 1 });
    assert.deepEqual(status, { replicas: 0, selector: 'app=a,tier in (x,y)' });
  });
});

test('a status update cannot decrease collisionCount', () => {
  const live = { ...sent(), status: { collisionCount: 2 } };
  const errors = validateDeploymentUpdate({ ...live, status: { collisionCount: 1 } }, live);
  assert.deepEqual(
    errors.map(fieldErrorText).filter((text) => text.startsWith('status')),
    ['status.collisionCount: Invalid value: 1: cannot be decremented'],
  );
});
