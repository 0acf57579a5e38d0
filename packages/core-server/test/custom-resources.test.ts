/** There are no custom resources, which clients may ask about all the same. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StatusError } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { startTestCore, type TestCore } from './core-fixture.ts';

const GROUP = 'apiextensions.k8s.io';
const definitions = (client: Client, version = 'v1') =>
  client.resource({
    group: GROUP,
    version,
    plural: 'customresourcedefinitions',
    namespaced: false,
  });
const definition = {
  apiVersion: `${GROUP}/v1`,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ponds.example.com' },
};
const refused: readonly {
  name: string;
  code: number;
  ask: (core: TestCore) => Promise<unknown>;
}[] = [
  { name: 'get', code: 404, ask: ({ admin }) => definitions(admin).get('ponds.example.com') },
  { name: 'create', code: 404, ask: ({ admin }) => definitions(admin).create(definition) },
  { name: 'another version', code: 404, ask: ({ admin }) => definitions(admin, 'v1beta1').list() },
  { name: 'a bad token', code: 401, ask: (core) => definitions(core.withToken('bad')).list() },
];

describe('definitions of custom resources', () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
  });
  after(() => core[Symbol.asyncDispose]());

  test('there are none', async () => {
    const { items } = await definitions(core.admin).list();
    assert.deepEqual(items, []);
  });

  for (const { name, code, ask } of refused) {
    test(`${name}: ${code}`, () =>
      assert.rejects(ask(core), (error: StatusError) => error.status.code === code));
  }
});
