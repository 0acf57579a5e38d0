/** Custom resources of a control plane without an aggregator: defined, discovered, watched, changed and deleted. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseJson, type StatusError } from '@tributary/apimachinery';
import type { Client, ResourceType } from '@tributary/client';
import { eventuallySucceeds } from '../../../test/harness/index.ts';
import { startTestCore, type TestCore } from './core-fixture.ts';

const GROUP = 'ponds.example.com';
const definitionType: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const fishType: ResourceType = { group: GROUP, version: 'v1', plural: 'fishes', namespaced: true };
const schemaOf = (...fields: readonly string[]) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
      },
    },
  },
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `fishes.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'fishes', kind: 'Fish' },
    versions: [{ name: 'v1', served: true, storage: true, schema: schemaOf('color') }],
  },
};
const fish = (name: string, spec: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Fish',
  metadata: { name },
  spec,
});
const fishesOf = (client: Client) => client.resource(fishType).in('default');
const isCode = (code: number) => (error: StatusError) => error.status.code === code;

/** Sequential: each test continues where the previous one ended. */
describe('custom resources', { concurrency: 1 }, () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
  });
  after(() => core[Symbol.asyncDispose]());

  test('do not exist at first', async () => {
    assert.deepEqual((await core.admin.resource(definitionType).list()).items, []);
    await assert.rejects(fishesOf(core.admin).list(), isCode(404));
    const unknown = core.admin.resource({ ...definitionType, version: 'v1beta1' });
    await assert.rejects(unknown.list(), isCode(404));
    const unauthenticated = core.withToken('bad').resource(definitionType);
    await assert.rejects(unauthenticated.list(), isCode(401));
  });

  test('are served and discovered when they are defined', async () => {
    await core.admin.resource(definitionType).create(definition as never);
    await eventuallySucceeds(() =>
      fishesOf(core.admin).create(fish('a', { color: 'red' }) as never),
    );
    await eventuallySucceeds(async () => {
      const path = `/apis/${GROUP}/v1`;
      const { body } = await core.admin.transport.request('GET', path, {});
      const { resources } = parseJson(body) as { resources: readonly { name: string }[] };
      assert.deepEqual(
        resources.map(({ name }) => name),
        ['fishes'],
      );
    });
  });

  test('follow a change of the schema, which ends watches', async () => {
    const { metadata } = await fishesOf(core.admin).list();
    const resourceVersion = metadata.resourceVersion ?? '';
    const watch = fishesOf(core.admin).watch({ resourceVersion, timeoutSeconds: 60 });
    const ended = Array.fromAsync(watch as AsyncIterable<unknown>);
    const live = (await core.admin
      .resource(definitionType)
      .get(`fishes.${GROUP}`)) as unknown as typeof definition;
    const [first] = live.spec.versions;
    const versions = [{ ...first, schema: schemaOf('color', 'size') }];
    await core.admin
      .resource(definitionType)
      .update({ ...live, spec: { ...live.spec, versions } } as never);
    await eventuallySucceeds(async () => {
      const made = await fishesOf(core.admin).create(
        fish(`b${Math.random().toString(36).slice(2)}`, { size: 'large' }) as never,
      );
      assert.deepEqual((made as unknown as { spec: object }).spec, { size: 'large' });
    });
    await ended;
  });

  test('are deleted with their definition', async () => {
    await core.admin.resource(definitionType).delete(`fishes.${GROUP}`);
    await eventuallySucceeds(() =>
      assert.rejects(core.admin.resource(definitionType).get(`fishes.${GROUP}`), isCode(404)),
    );
    await assert.rejects(fishesOf(core.admin).list(), isCode(404));
    await core.admin.resource(definitionType).create(definition as never);
    assert.deepEqual((await eventuallySucceeds(() => fishesOf(core.admin).list())).items, []);
  });
});
