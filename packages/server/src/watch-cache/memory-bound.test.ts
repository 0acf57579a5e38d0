import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { DerivedBytes } from './derived-bytes.ts';
import { MemoryBound, type MemoryUser } from './memory-bound.ts';

interface User extends MemoryUser {
  readonly name: string;
  bytes: number;
  history: number;
}

function setup(
  inputs: readonly {
    name: string;
    bytes: number;
    history?: number;
    watchers?: number;
    usedMs: number;
  }[],
) {
  const clock = manualClock(0);
  const dropped: string[] = [];
  const users = inputs.map(
    ({ watchers = 0, history = 0, ...input }): User => ({
      ...input,
      watchers,
      history,
      get isFilled() {
        return this.bytes > 0;
      },
      shrinkHistory() {
        this.bytes -= this.history;
        this.history = 0;
      },
      drop() {
        dropped.push(this.name);
        this.bytes = 0;
      },
    }),
  );
  const derivedBytes = new DerivedBytes(1000);
  const bound = new MemoryBound({ bytesMax: 1000 }, { clock, derivedBytes, users: () => users });
  return { bound, users, dropped, derivedBytes, clock };
}

test('beyond the memory bound derived bytes are evicted first, as many as necessary', () => {
  const { bound, derivedBytes, dropped } = setup([{ name: 'a', bytes: 800, usedMs: 0 }]);
  const gone: number[] = [];
  for (const n of [1, 2, 3]) derivedBytes.add({ dropDerived: () => gone.push(n) }, 0);
  bound.enforce();
  assert.deepEqual(gone, [1, 2], 'the oldest, until the rest fits');
  assert.deepEqual(dropped, []);
});

test('beyond the memory bound history is dropped after derived bytes', () => {
  const { bound, users, dropped } = setup([{ name: 'a', bytes: 1200, history: 300, usedMs: 0 }]);
  bound.enforce();
  assert.equal(users[0]?.bytes, 900);
  assert.deepEqual(dropped, []);
});

test('beyond the memory bound resources without watchers are dropped, least recently used first, and then those with watchers', () => {
  const inputs = [
    { name: 'watched', bytes: 400, usedMs: 0, watchers: 1 },
    { name: 'warm', bytes: 400, usedMs: 20 },
    { name: 'cold', bytes: 400, usedMs: 10 },
  ];
  const { bound, users, dropped, clock } = setup(inputs);
  bound.enforce();
  assert.deepEqual(dropped, ['cold']);
  setBytes(users[1], 900);
  clock.advance(200);
  bound.enforce();
  assert.deepEqual(dropped, ['cold', 'warm']);
  setBytes(users[0], 1100);
  clock.advance(50);
  bound.enforce();
  assert.deepEqual(dropped, ['cold', 'warm'], 'it does not look more often than it must');
  clock.advance(200);
  bound.enforce();
  assert.deepEqual(dropped, ['cold', 'warm', 'watched']);
});

test('filling a cache drops only idle caches', () => {
  const { bound, dropped, clock } = setup([
    { name: 'a', bytes: 600, usedMs: 0 },
    { name: 'b', bytes: 600, usedMs: 50_000 },
  ]);
  clock.advance(55_000);
  assert.equal(bound.makeRoom(), false);
  clock.advance(6000);
  assert.equal(bound.makeRoom(), true);
  assert.deepEqual(dropped, ['a']);
});

test('a dropped cache returns when there is room, or after some time', () => {
  const { bound, clock } = setup([{ name: 'a', bytes: 500, usedMs: 0 }]);
  assert.equal(bound.admits(undefined), true);
  assert.equal(bound.admits({ bytes: 400, atMs: 0 }), true);
  assert.equal(bound.admits({ bytes: 401, atMs: 0 }), false);
  clock.advance(300_001);
  assert.equal(bound.admits({ bytes: 401, atMs: 0 }), true);
});

function setBytes(user: User | undefined, bytes: number): void {
  if (user !== undefined) user.bytes = bytes;
}
