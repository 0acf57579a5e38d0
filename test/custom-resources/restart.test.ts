/** A control plane that was killed serves what was defined before, from its first request on. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Client, createClient, loadConfig, type ResourceType } from '@tributary/client';
import {
  createScope,
  eventuallySucceeds,
  logShows,
  runSource,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';

const root = join(import.meta.dirname, '..', '..');
const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const COUNT = 30;
const typeOf = (index: number): ResourceType => ({
  group: `g${index}.example.com`,
  version: 'v1',
  plural: 'things',
  namespaced: true,
});

function definitionOf(index: number) {
  const { group, plural, version } = typeOf(index);
  const properties = { spec: { type: 'object', properties: { size: { type: 'integer' } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Thing' },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  };
}

async function start(scope: TestScope, directory: string) {
  const started = await startProcess(scope, {
    name: 'tributary up',
    ...runSource(join(root, 'packages/cli/src/main.ts'), [
      'up',
      '--sample=none',
      '--secure-port=0',
      `--data-dir=${directory}`,
    ]),
    ready: logShows(/is ready at/),
  });
  const client = createClient(
    await loadConfig({ kubeconfig: join(directory, 'admin.kubeconfig') }),
  );
  return { started, client };
}

/** Definitions are served a moment after they are accepted. */
async function createSoon(client: Client, index: number): Promise<void> {
  const type = typeOf(index);
  const things = client.resource(type).in('default');
  const apiVersion = `${type.group}/${type.version}`;
  const object = { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { size: index } };
  await eventuallySucceeds(() => things.create(object as never), { everyMs: 50 });
}

test('what was defined is served by the next process from its first request on', async (t) => {
  const directory = await temporaryDirectory(t, 'up-');
  const first = createScope('the first process');
  try {
    const { started, client } = await start(first, directory);
    for (let index = 0; index < COUNT; index += 1) {
      await client.resource(definitions).create(definitionOf(index) as never);
    }
    for (let index = 0; index < COUNT; index += 1) await createSoon(client, index);
    await client.close();
    process.kill(started.pid, 'SIGKILL');
  } finally {
    await first.close();
  }
  const { client } = await start(t, directory);
  t.after(() => client.close());
  const found = await Promise.all(
    Array.from({ length: COUNT }, (_, index) =>
      client.resource(typeOf(index)).in('default').get('a'),
    ),
  );
  assert.deepEqual(
    found.map((object) => (object as unknown as { spec: { size: number } }).spec.size),
    Array.from({ length: COUNT }, (_, index) => index),
  );
});
