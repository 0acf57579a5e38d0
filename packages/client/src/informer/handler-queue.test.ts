import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@tributary/apimachinery';
import fc from 'fast-check';
import { eventually, turns } from '../../../../test/harness/index.ts';
import { HandlerQueue } from './handler-queue.ts';
import { ObjectStore, objectKey } from './object-store.ts';

function object(name: string, version: number): KubeObject {
  const metadata = { name, uid: name, resourceVersion: String(version) };
  return { apiVersion: 'v1', kind: 'Thing', metadata };
}

test('a handler is not called again before its promise resolves', async () => {
  const log: string[] = [];
  const queue = new HandlerQueue<KubeObject>(
    {
      onAdd: async ({ metadata }) => {
        log.push(`begin ${metadata.name}`);
        await turns();
        log.push(`end ${metadata.name}`);
      },
    },
    { queueMax: 100, onError: () => undefined },
  );
  queue.push(
    ['a', 'b'].map((name) => ({ kind: 'add', object: object(name, 1) })),
    true,
  );
  queue.pushSynced();
  assert.deepEqual(log, []);
  assert.equal(queue.isSynced, false);
  await queue.whenSynced();
  assert.deepEqual(log, ['begin a', 'end a', 'begin b', 'end b']);
  assert.equal(queue.size, 0);
});

test('close drops pending changes and rejects whenSynced', async () => {
  let calls = 0;
  const queue = new HandlerQueue<KubeObject>(
    {
      onAdd: () => {
        calls += 1;
      },
    },
    { queueMax: 100, onError: () => undefined },
  );
  queue.push([{ kind: 'add', object: object('a', 1) }], true);
  queue.close();
  await assert.rejects(queue.whenSynced(), /closed before it synced/);
  await turns();
  assert.equal(calls, 0);
});

test('a handler that falls behind gets one merged change for each object', async () => {
  const log: string[] = [];
  const queue = new HandlerQueue<KubeObject>(
    {
      onAdd: (added) => void log.push(`add ${added.metadata.resourceVersion}`),
      onUpdate: (old, updated) =>
        void log.push(`${old.metadata.resourceVersion}->${updated.metadata.resourceVersion}`),
    },
    { queueMax: 10, onError: () => undefined },
  );
  const store = new ObjectStore<KubeObject>({});
  queue.push(store.put(object('known', 0)), false);
  await eventually('the first change is delivered', () => log.length === 1);
  for (let version = 1; version <= 1000; version += 1) {
    queue.push(store.put(object(version % 2 === 0 ? 'known' : 'new', version)), false);
    assert.ok(queue.size <= 11);
  }
  queue.pushSynced();
  await queue.whenSynced();
  assert.equal(log[0], 'add 0');
  assert.match(log[1] ?? '', /^add 9[0-9]{2}$/);
  assert.match(log[2] ?? '', /^0->9[0-9]{2}$/);
  assert.ok(log.length < 15);
});

test('merging bounds the queue, and never contradicts the state of the handler', async () => {
  const action = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom('put', 'put', 'recreate', 'delete', 'turn'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
      const view = new Map<string, KubeObject>();
      const wrong: string[] = [];
      const queue = new HandlerQueue<KubeObject>(
        {
          onAdd: (added) => {
            if (view.has(objectKey(added))) wrong.push(`add ${added.metadata.resourceVersion}`);
            view.set(objectKey(added), added);
          },
          onUpdate: (old, updated) => {
            if (view.get(objectKey(updated)) !== old) wrong.push('update');
            if (old.metadata.uid !== updated.metadata.uid) wrong.push('update of another');
            view.set(objectKey(updated), updated);
          },
          onDelete: (deleted) => {
            if (!view.delete(objectKey(deleted))) wrong.push('delete');
          },
        },
        { queueMax: 4, onError: (error) => void wrong.push(String(error)) },
      );
      const store = new ObjectStore<KubeObject>({});
      for (const [version, { name, kind }] of actions.entries()) {
        const next = object(name, version);
        if (kind === 'turn') await turns(2);
        if (kind === 'put') queue.push(store.put(next), false);
        if (kind === 'delete') queue.push(store.remove(next), false);
        if (kind === 'recreate') {
          next.metadata.uid = String(version);
          queue.push(store.put(next), false);
        }
        // Two steps for each of three names, doubled before the next merge.
        assert.ok(queue.size <= 14, `${queue.size} wait`);
      }
      queue.pushSynced();
      await queue.whenSynced();
      assert.deepEqual(wrong, []);
      assert.deepEqual(
        [...view].sort(),
        [...store.keys()].map((key) => [key, store.get(key)]).sort(),
      );
    }),
    { numRuns: 200 },
  );
});
