import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextMacrotask } from 'node:timers/promises';
import { initialEventsEndAnnotation } from '@tributary/apimachinery';
import { createClient } from '@tributary/client';
import type { MetadataEvent } from '@tributary/server/http';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import type { KindResource } from './discover-kinds.ts';
import type { GraphChange } from './graph-changes.ts';
import { Monitors, type MonitorsOptions } from './monitors.ts';

/** Longer than the first pauses, and shorter than the timeout of a silent watch. */
const BACKOFF_MS = 7_000;
const REMOTE = 'remote.example.com/v1';

function resource(plural: string, group = 'example.com'): KindResource {
  return { group, version: 'v1', plural, namespaced: true, kind: plural };
}

/** Servers whose watches are silent until a test lets them respond. */
function site(localMetadata?: MonitorsOptions['localMetadata']) {
  const clock = new VirtualClock();
  const open = new Map<string, (outcome: 'everything' | 'failure') => void>();
  const client = createClient(
    { server: 'https://test', identity: {}, namespace: 'default', disableCompression: true },
    {
      clock,
      open: async ({ path, signal }) => {
        const name = /([a-z0-9-]+)\?/.exec(path)?.[1] ?? '';
        const { promise, resolve, reject } = Promise.withResolvers<'everything' | 'failure'>();
        open.set(name, resolve);
        signal.addEventListener('abort', () => {
          if (open.get(name) === resolve) open.delete(name);
          reject(signal.reason);
        });
        const outcome = await promise;
        return {
          status: outcome === 'failure' ? 500 : 200,
          rawHeaders: [['content-type', 'application/json']],
          httpVersion: '2' as const,
          body: (async function* () {
            if (outcome === 'failure') return;
            const annotations = { [initialEventsEndAnnotation]: 'true' };
            const object = { metadata: { resourceVersion: '7', annotations } };
            yield Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
            await new Promise((_, fail) => signal.addEventListener('abort', fail, { once: true }));
          })(),
          cancel: () => {},
        };
      },
    },
  );
  const pushed: GraphChange[] = [];
  const problems = new Map<string, string | undefined>([[REMOTE, undefined]]);
  const watched = new Monitors({
    client,
    clock,
    localMetadata: localMetadata,
    changes: {
      push(change) {
        pushed.push(change);
        if (change.type === 'replaced') change.done();
      },
      close() {},
    },
    health: {
      problemOf: (apiVersion) => problems.get(apiVersion),
      isRemote: (apiVersion) => problems.has(apiVersion),
    },
    onSynced: () => {},
    onServingChange: () => {},
    onError: () => {},
  });
  return { clock, open, pushed, problems, watched };
}

async function rest(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextMacrotask();
}

test('at most four local resources are listed concurrently, remote ones do not wait', async () => {
  const { open, watched } = site();
  const here = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => resource(name));
  watched.watch([...here, resource('remote', 'remote.example.com')]);
  await rest();
  assert.deepEqual([...open.keys()].sort(), ['a', 'b', 'c', 'd', 'remote']);
  assert.deepEqual(watched.unsynced('local'), ['example.com/v1']);
  open.get('b')?.('everything');
  await rest();
  assert.deepEqual([...open.keys()].sort(), ['a', 'b', 'c', 'd', 'e', 'remote']);
  await watched.close();
});

test('a resource that cannot be listed counts as synced after three failures', async () => {
  const { clock, open, watched } = site();
  watched.watch([resource('a')]);
  for (let failure = 1; failure <= 3; failure += 1) {
    await rest();
    assert.deepEqual(watched.unsynced('local'), ['example.com/v1'], `${failure}`);
    open.get('a')?.('failure');
    await rest();
    await clock.advance(BACKOFF_MS);
  }
  assert.deepEqual(watched.unsynced('local'), []);
  await watched.close();
});

test('an unavailable server is not watched, and its objects stay in the graph', async () => {
  const { open, pushed, problems, watched } = site();
  const things = resource('things', 'remote.example.com');
  watched.watch([things]);
  await rest();
  open.get('things')?.('everything');
  await rest();
  assert.deepEqual(watched.unsynced('remote'), []);
  problems.set(REMOTE, 'it is unavailable');
  watched.watch([]);
  await rest();
  assert.deepEqual([...open.keys()], []);
  assert.deepEqual(watched.unsynced('remote'), []);
  problems.set(REMOTE, undefined);
  watched.watch([things]);
  await rest();
  assert.deepEqual([...open.keys()], ['things']);
  assert.deepEqual(
    pushed.map(({ type }) => type),
    ['replaced'],
  );
  await watched.close();
});

test('a resource that is no longer served is removed from the graph', async () => {
  const { open, pushed, watched } = site();
  watched.watch([resource('a'), resource('b')]);
  await rest();
  watched.watch([resource('b')]);
  await rest();
  assert.deepEqual([...open.keys()], ['b']);
  assert.deepEqual(pushed, [
    { type: 'forgotten', kind: { apiVersion: 'example.com/v1', kind: 'a' } },
  ]);
  await watched.close();
});

test('local resources are watched without a request while no other server is registered for them', async () => {
  const live = new Set<string>();
  const { open, pushed, problems, watched } = site(({ resource: plural }) => {
    if (plural !== 'stored') return undefined;
    return async function* ({ signal }) {
      live.add(plural);
      yield [{ type: 'BOOKMARK', revision: 7, initialEventsEnd: true } as MetadataEvent];
      await new Promise<void>((end) => signal.addEventListener('abort', () => end()));
      live.delete(plural);
    };
  });
  const resources = [resource('stored'), resource('asked')];
  watched.watch(resources);
  await rest();
  assert.deepEqual([[...live], [...open.keys()]], [['stored'], ['asked']]);
  assert.deepEqual(
    pushed.map(({ type, kind }) => `${type} ${kind.kind}`),
    ['replaced stored'],
  );
  problems.set('example.com/v1', undefined);
  watched.watch(resources);
  await rest();
  assert.deepEqual([[...live], [...open.keys()].sort()], [[], ['asked', 'stored']]);
  await watched.close();
});
