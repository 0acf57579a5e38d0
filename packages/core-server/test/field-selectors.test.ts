/** Field selectors of built-in kinds: every label that upstream has, and absent fields as Go's zero values. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serviceAccounts } from '@tributary/client/controller';
import { eventually, startTestCore, type TestCore } from './core-fixture.ts';

const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
const NS = '/api/v1/namespaces/default';

interface Sample {
  readonly path: string;
  readonly name: string;
  readonly spec: object;
  readonly status?: object;
}

const samples: readonly Sample[] = [
  { path: '/api/v1/nodes', name: 'open', spec: {} },
  { path: '/api/v1/nodes', name: 'closed', spec: { unschedulable: true } },
  { path: `${NS}/replicationcontrollers`, name: 'none', spec: { selector: { a: 'b' }, template } },
  {
    path: `${NS}/replicationcontrollers`,
    name: 'two',
    spec: { selector: { a: 'b' }, template },
    status: { replicas: 2 },
  },
  ...['fresh', 'through'].map((name) => ({
    path: '/apis/batch/v1/namespaces/default/jobs',
    name,
    spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } },
    ...(name === 'through' && { status: { succeeded: 1 } }),
  })),
  { path: `${NS}/pods`, name: 'plain', spec: { containers: [container] } },
  {
    path: `${NS}/pods`,
    name: 'host',
    spec: { containers: [container], hostNetwork: true, nodeName: 'open' },
    status: {
      phase: 'Running',
      podIP: '10.1.2.3',
      podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::3' }],
    },
  },
];

const rows: readonly [plural: string, selector: string, found: readonly string[]][] = [
  ['nodes', 'spec.unschedulable=false', ['open']],
  ['nodes', 'spec.unschedulable=true', ['closed']],
  ['nodes', 'spec.unschedulable!=true', ['open']],
  ['nodes', 'spec.unschedulable=', []],
  ['replicationcontrollers', 'status.replicas=0', ['none']],
  ['replicationcontrollers', 'status.replicas!=0', ['two']],
  ['jobs', 'status.successful=0', ['fresh']],
  ['jobs', 'status.successful=1', ['through']],
  ['pods', 'spec.hostNetwork=false', ['plain']],
  ['pods', 'spec.hostNetwork=true', ['host']],
  ['pods', 'status.podIP=10.1.2.3', ['host']],
  ['pods', 'status.podIP=', ['plain']],
  ['pods', 'status.podIP=fd00::3', []],
  ['pods', 'status.podIPs=', ['host', 'plain']],
  ['pods', 'status.podIPs=10.1.2.3', []],
  ['pods', 'spec.host=open', ['host']],
  ['pods', 'spec.nodeName=,spec.hostNetwork!=true', ['plain']],
];

async function send<T>(
  { admin }: TestCore,
  method: string,
  path: string,
  { body, contentType = 'application/json' }: { body?: object; contentType?: string } = {},
): Promise<T> {
  const response = await admin.transport.request(method, path, {
    headers: { 'content-type': contentType },
    ...(body && { body: JSON.stringify(body) }),
  });
  return JSON.parse(response.body.toString()) as T;
}

describe('a field selector of a built-in kind', { concurrency: 1 }, () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
    const accounts = core.admin.resource(serviceAccounts);
    await eventually(
      () => accounts.list(),
      ({ items }) => items.some(({ metadata }) => metadata.namespace === 'default'),
    );
    for (const { path, name, spec, status } of samples) {
      const body = { metadata: { name }, spec };
      const made = await send<{ status: object }>(core, 'POST', path, { body });
      if (status === undefined) continue;
      await send(core, 'PATCH', `${path}/${name}/status`, {
        body: { status: { ...made.status, ...status } },
        contentType: 'application/merge-patch+json',
      });
    }
  });
  after(() => core[Symbol.asyncDispose]());

  for (const [plural, selector, found] of rows) {
    test(`${plural} by ${selector}: ${found.join(' and ') || 'none'}`, async () => {
      const path = samples.find((sample) => sample.path.endsWith(plural))?.path;
      const list = await send<{ items: { metadata: { name: string } }[] }>(
        core,
        'GET',
        `${path}?fieldSelector=${encodeURIComponent(selector)}`,
      );
      assert.deepEqual(list.items.map(({ metadata }) => metadata.name).toSorted(), found);
    });
  }
});
