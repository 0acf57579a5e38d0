/** A definition goes with its objects although another server answers for its group, and nothing goes there. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KubeObject, serviceUnavailable } from '@tributary/apimachinery';
import { isNotFound } from '@tributary/client/controller';
import type { CoreExtension } from '../../packages/core-server/src/assembly/core-extension.ts';
import { customResourceDefinitions } from '../../packages/core-server/src/custom-resources/definition/resource-type.ts';
import { startTestCore, type TestCore } from '../../packages/core-server/test/core-fixture.ts';
import { eventuallySucceeds } from '../harness/index.ts';

const GROUP = 'claimed.example.com';
const NAME = `things.${GROUP}`;

interface Row {
  readonly name: string;
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/** The first is the one that is stored. */
const rows: readonly Row[] = [
  { name: 'the only version', versions: [{ name: 'v1', served: true }] },
  {
    name: 'every version',
    versions: [
      { name: 'v1', served: true },
      { name: 'v2', served: true },
    ],
  },
  {
    name: 'all but the stored version, which is not served',
    versions: [
      { name: 'v1', served: false },
      { name: 'v2', served: true },
    ],
  },
];

for (const { name, versions } of rows) {
  test(`another server claims ${name}`, async () => {
    const claim = claimingExtension();
    await using core = await startTestCore({ config: { extend: () => claim.extension } });
    await define(core, versions);
    const served = versions.find((one) => one.served)?.name ?? '';
    const things = core.admin
      .resource({ group: GROUP, version: served, plural: 'things', namespaced: true })
      .in('default');
    const thing = { apiVersion: `${GROUP}/${served}`, kind: 'Thing', metadata: { name: 'a' } };
    await eventuallySucceeds(() => things.create(thing as KubeObject));
    claim.isClaimed = true;
    await assert.rejects(things.get('a'), { code: 503 });
    claim.asked.length = 0;

    const definitions = core.admin.resource(customResourceDefinitions);
    await definitions.delete(NAME);
    await eventuallySucceeds(() =>
      definitions.get(NAME).then(
        ({ status }) => assert.fail(JSON.stringify(status)),
        (error: unknown) => assert.ok(isNotFound(error), String(error)),
      ),
    );
    assert.deepEqual(claim.asked, [], 'nothing was asked of the other server');

    claim.isClaimed = false;
    await define(core, versions);
    const { items } = await eventuallySucceeds(() => things.list());
    assert.deepEqual(items, []);
  });
}

/** Answers for the group, once it claims it, that it is away. */
function claimingExtension() {
  const asked: string[] = [];
  const claim = { isClaimed: false, asked };
  const extension: CoreExtension = {
    apis: () => [],
    routes: [
      ({ method, path, headers }) => {
        if (!claim.isClaimed || !path.startsWith(`/apis/${GROUP}/`)) return undefined;
        const agent = headers.get('user-agent') ?? '';
        // The garbage collector reads kinds wherever they are served: it may have found this one only now.
        const isCollector = agent.startsWith('kube-controller-manager') && method === 'GET';
        if (!isCollector) asked.push(`${agent}: ${method} ${path}`);
        throw serviceUnavailable('the other server is away');
      },
    ],
    start: async () => {},
    close: async () => {},
  };
  return Object.assign(claim, { extension });
}

async function define({ admin }: TestCore, versions: Row['versions']): Promise<void> {
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: versions.map((one, at) => ({ ...one, storage: at === 0, schema })),
    },
  };
  await admin.resource(customResourceDefinitions).create(definition as KubeObject);
}
