import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as settle } from 'node:timers/promises';
import { initialEventsEndAnnotation } from '@tributary/apimachinery';
import { createClient } from '@tributary/client';
import type { MetadataEvent } from '@tributary/server/http';
import { VirtualClock } from '../../../../../test/harness/index.ts';
import type { KindResource } from './discover-kinds.ts';
import type { GraphChange } from './graph-changes.ts';
import { type MonitorsOptions, monitors } from './monitors.ts';

/** Longer than the first pauses, and shorter than a watch may be silent at its beginning. */
const BACKOFF_MS = 7_000;
const REMOTE = 'remote.example.com/v1';

function resource(plural: string, group = 'example.com'): KindResource {
  return { group, version: 'v1', plural, namespaced: true, kind: plural };
}

/** Servers whose watches are silent until a test lets them answer. */
function site(ownMetadata?: MonitorsOptions['ownMetadata']) {
  const clock = new VirtualClock();
  const open = new Map<string, (answer: 'everything' | 'failure') => void>();
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
        const answer = await promise;
        return {
          status: answer === 'failure' ? 500 : 200,
          rawHeaders: [['content-type', 'application/json']],
          httpVersion: '2' as const,
          body: (async function* () {
            if (answer === 'failure') return;
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
  const watched = monitors({
    client,
    clock,
    ownMetadata,
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
  for (let turn = 0; turn < 20; turn += 1) await settle();
}

test('four resources of this server are listed at the same time, and others do not wait for them', async () => {
  const { open, watched } = site();
  const here = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => resource(name));
  watched.follow([...here, resource('elsewhere', 'remote.example.com')]);
  await rest();
  assert.deepEqual([...open.keys()].sort(), ['a', 'b', 'c', 'd', 'elsewhere']);
  assert.deepEqual(watched.unsynced('here'), ['example.com/v1']);
  open.get('b')?.('everything');
  await rest();
  assert.deepEqual([...open.keys()].sort(), ['a', 'b', 'c', 'd', 'e', 'elsewhere']);
  await watched.close();
});

test('nobody waits for a resource that cannot be listed', async () => {
  const { clock, open, watched } = site();
  watched.follow([resource('a')]);
  for (let failure = 1; failure <= 3; failure += 1) {
    await rest();
    assert.deepEqual(watched.unsynced('here'), ['example.com/v1'], `${failure}`);
    open.get('a')?.('failure');
    await rest();
    await clock.advance(BACKOFF_MS);
  }
  assert.deepEqual(watched.unsynced('here'), []);
  await watched.close();
});

test('a server that is away is not watched, and what it has is not forgotten', async () => {
  const { open, pushed, problems, watched } = site();
  const things = resource('things', 'remote.example.com');
  watched.follow([things]);
  await rest();
  open.get('things')?.('everything');
  await rest();
  assert.deepEqual(watched.unsynced('elsewhere'), []);
  problems.set(REMOTE, 'it is away');
  watched.follow([]);
  await rest();
  assert.deepEqual([...open.keys()], []);
  assert.deepEqual(watched.unsynced('elsewhere'), []);
  problems.set(REMOTE, undefined);
  watched.follow([things]);
  await rest();
  assert.deepEqual([...open.keys()], ['things']);
  assert.deepEqual(
    pushed.map(({ type }) => type),
    ['replaced'],
  );
  await watched.close();
});

test('a resource that is served no longer is forgotten', async () => {
  const { open, pushed, watched } = site();
  watched.follow([resource('a'), resource('b')]);
  await rest();
  watched.follow([resource('b')]);
  await rest();
  assert.deepEqual([...open.keys()], ['b']);
  assert.deepEqual(pushed, [
    { type: 'forgotten', kind: { apiVersion: 'example.com/v1', kind: 'a' } },
  ]);
  await watched.close();
});

test('what this process keeps is followed without a request, as long as no other server has it', async () => {
  const live = new Set<string>();
  const { open, pushed, problems, watched } = site(({ resource: plural }) => {
    if (plural !== 'kept') return undefined;
    return async function* ({ signal }) {
      live.add(plural);
      yield [{ type: 'BOOKMARK', revision: 7, initialEventsEnd: true } as MetadataEvent];
      await new Promise<void>((end) => signal.addEventListener('abort', () => end()));
      live.delete(plural);
    };
  });
  const resources = [resource('kept'), resource('asked')];
  watched.follow(resources);
  await rest();
  assert.deepEqual([[...live], [...open.keys()]], [['kept'], ['asked']]);
  assert.deepEqual(
    pushed.map(({ type, kind }) => `${type} ${kind.kind}`),
    ['replaced kept'],
  );
  problems.set('example.com/v1', undefined);
  watched.follow(resources);
  await rest();
  assert.deepEqual([[...live], [...open.keys()].sort()], [[], ['asked', 'kept']]);
  await watched.close();
});
