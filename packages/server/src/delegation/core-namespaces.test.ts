import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { notFound, StatusError } from '@tributary/apimachinery';
import { manualClock } from '@tributary/storage';
import type { NamespaceState } from '../registry/namespace-guard.ts';
import { namespaceGuard } from './core-namespaces.ts';

type Phase = 'Active' | 'Terminating';

/** The informer's copy, and the state of the core server. */
function world(state: { synced?: boolean; copy?: Phase; core?: Phase | Error }) {
  const clock = manualClock();
  const now = { synced: true, ...state, asked: 0 };
  const objectOf = (phase: Phase | undefined): NamespaceState | undefined =>
    phase && { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'eu' }, status: { phase } };
  const guard = namespaceGuard({
    clock,
    copy: {
      get synced() {
        return now.synced;
      },
      store: { get: () => objectOf(now.copy) } as never,
    },
    live: {
      get: async (name) => {
        now.asked += 1;
        if (now.core instanceof Error) throw now.core;
        const found = objectOf(now.core);
        if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
        return found;
      },
    },
  });
  const place = {
    namespace: 'eu',
    name: 'a',
    resource: { group: 'example.com', resource: 'flunders' },
  };
  /** `open`, or the status code of the rejection. */
  const create = async (fresh = false): Promise<string | number> => {
    const { signal } = new AbortController();
    const result = guard.requireOpen(place, { signal, fresh }).then(
      () => 'open',
      (error: unknown) => (error instanceof StatusError ? error.code : String(error)),
    );
    await turn();
    clock.advance(50);
    return result;
  };
  return { now, create, clock, guard, place };
}

const cases = [
  { name: 'known and active', state: { copy: 'Active' }, want: 'open', asked: 0 },
  {
    name: 'known and leaving',
    state: { copy: 'Terminating', core: 'Active' },
    want: 403,
    asked: 0,
  },
  { name: 'new at the core', state: { core: 'Active' }, want: 'open', asked: 1 },
  { name: 'leaving, and not known here', state: { core: 'Terminating' }, want: 403, asked: 1 },
  { name: 'missing', state: {}, want: 404, asked: 1 },
  { name: 'the core is away', state: { core: new Error('gone') }, want: 500, asked: 1 },
  {
    name: 'the core forbids to look',
    state: { core: new StatusError({ code: 403, message: 'no' }) },
    want: 500,
    asked: 1,
  },
  {
    name: 'the core is away, and the namespace is known',
    state: { copy: 'Active', core: new Error('gone') },
    want: 'open',
    asked: 0,
  },
  {
    name: 'nothing is known here yet',
    state: { synced: false, copy: 'Active', core: 'Terminating' },
    want: 403,
    asked: 1,
  },
  {
    name: 'the copy was wrong a moment ago',
    state: { copy: 'Active' },
    fresh: true,
    want: 404,
    asked: 1,
  },
] as const;
for (const { name, state, want, asked, ...rest } of cases) {
  test(`a namespace, ${name}: ${want}`, async () => {
    const { create, now } = world(state);
    assert.equal(await create('fresh' in rest), want);
    assert.equal(now.asked, asked);
  });
}

test('a namespace that comes within the wait is not asked for', async () => {
  const { now, guard, place, clock } = world({});
  const { signal } = new AbortController();
  const result = guard.requireOpen(place, { signal, fresh: false });
  clock.advance(49);
  now.copy = 'Active';
  clock.advance(1);
  assert.equal(await result, undefined);
  assert.equal(now.asked, 0);
});

test('who leaves while waiting is not kept', async () => {
  const { guard, place } = world({});
  const leaving = new AbortController();
  const result = guard.requireOpen(place, { signal: leaving.signal, fresh: false });
  leaving.abort(new Error('left'));
  await assert.rejects(result, { message: 'left' });
});

test('a copy that the core contradicted is not believed for half a minute', async () => {
  const { create, now, clock } = world({ core: 'Terminating' });
  assert.equal(await create(), 403);
  // An outdated event arrives late.
  now.copy = 'Active';
  assert.equal(await create(), 403);
  clock.advance(29_000);
  assert.equal(await create(), 403);
  assert.equal(now.asked, 3);
  now.core = 'Active';
  clock.advance(30_000);
  assert.equal(await create(), 'open');
  assert.equal(now.asked, 3);
});
