import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@tributary/api/apiextensions-v1';
import { type Client, type EventHandler, type ResourceType, systemClock } from '@tributary/client';
import type { SharedInformers } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { CLEANUP_FINALIZER } from '../definition/deletion.ts';
import { runFinalizingController } from './finalizing-controller.ts';

const versionOf = (name: string, more: Partial<CustomResourceDefinitionVersion> = {}) => ({
  name,
  served: true,
  storage: false,
  ...more,
});

function definitionOf(versions: CustomResourceDefinitionVersion[]): CustomResourceDefinition {
  const names = { plural: 'things', kind: 'Thing' };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'things.g.example.com',
      deletionTimestamp: '2020-01-01T00:00:00Z',
      finalizers: [CLEANUP_FINALIZER, 'example.com/other'],
    },
    spec: { group: 'g.example.com', scope: 'Namespaced', names, versions },
    status: {
      acceptedNames: names,
      conditions: [{ type: 'Established', status: 'True', lastTransitionTime: null }],
      storedVersions: ['v1'],
    },
  };
}

/** A server with objects in two namespaces that records requests. */
function fakeServer(definition: CustomResourceDefinition) {
  const seen: string[] = [];
  let left = ['a', 'b', 'b'];
  const written = Promise.withResolvers<CustomResourceDefinition>();
  const resource = ({ group, version }: ResourceType) => {
    const at = `${group}/${version}`;
    return {
      list: async () => ({
        metadata: {},
        items: left.map((namespace) => ({ metadata: { namespace } })),
      }),
      in: (namespace: string) => ({
        deleteCollection: async () => {
          seen.push(`delete ${at} in ${namespace}`);
          left = left.filter((one) => one !== namespace);
        },
      }),
      update: async (next: CustomResourceDefinition) => {
        const [, terminating] = next.status.conditions ?? [];
        seen.push(terminating?.reason ?? '');
        const isLast = terminating?.reason !== 'InstanceDeletionInProgress';
        if (isLast) written.resolve(next);
        return next;
      },
    };
  };
  const informer = {
    store: { get: () => definition },
    addHandler: ({ onAdd }: EventHandler<CustomResourceDefinition>) => {
      onAdd?.(definition, { initial: true });
      return { close: () => {} };
    },
  };
  return {
    seen,
    written: written.promise,
    client: { resource } as unknown as Client,
    informers: { of: () => informer } as unknown as SharedInformers,
  };
}

async function finish(definition: CustomResourceDefinition) {
  const { seen, written, ...server } = fakeServer(definition);
  const stop = new AbortController();
  const log = { error: () => {} } as unknown as Logger;
  const dependencies = { ...server, clock: systemClock, log, signal: stop.signal };
  const done = runFinalizingController(dependencies);
  const last = await written;
  stop.abort(new Error('the test ended'));
  await done;
  return { seen, last };
}

test('objects are deleted by namespace in the storage version before the definition', async () => {
  const versions = [versionOf('v2'), versionOf('v1', { storage: true })];
  const { seen, last } = await finish(definitionOf(versions));
  assert.deepEqual(seen.slice(0, 4), [
    'InstanceDeletionInProgress',
    'delete g.example.com/v1 in a',
    'delete g.example.com/v1 in b',
    'InstanceDeletionCompleted',
  ]);
  assert.deepEqual(last.metadata.finalizers, ['example.com/other']);
});

test('objects are deleted in the storage version even if it is not served', async () => {
  const versions = [versionOf('v2'), versionOf('v1', { storage: true, served: false })];
  const { seen } = await finish(definitionOf(versions));
  assert.deepEqual(seen.slice(1, 3), [
    'delete g.example.com/v1 in a',
    'delete g.example.com/v1 in b',
  ]);
});

test('a definition that was never established has no objects', async () => {
  const definition = definitionOf([versionOf('v1', { storage: true })]);
  const status = { ...definition.status, conditions: [] };
  const first = { type: 'NamesAccepted', status: 'False', lastTransitionTime: null };
  const { seen } = await finish({ ...definition, status: { ...status, conditions: [first] } });
  assert.deepEqual(seen.slice(0, 2), ['InstanceDeletionInProgress', 'NeverEstablished']);
});
