import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import { podBytes, pods } from '../../test/watch-cache-fixture.ts';
import { decodeStored, type ObjectContext } from './cached-object.ts';
import { ChangeRecord } from './change-record.ts';
import { EventWindow, type EventWindowLimits } from './event-window.ts';
import { FrameCatalog } from './frames.ts';

const context: ObjectContext = {
  resource: pods,
  frames: new FrameCatalog(),
  derivedBytes: undefined,
};
const limits: EventWindowLimits = {
  historyEventsMin: 10,
  historyEventsMax: 80,
  historyBytesMax: 1 << 20,
  historyFreshMs: 75_000,
};

function record(revision: number, atMs: number): ChangeRecord {
  const value = podBytes('eu/a');
  const stored = { key: `${pods.prefix}eu/a`, value, revision: revision as Revision };
  const object = decodeStored(context, stored);
  return new ChangeRecord({
    revision: revision as Revision,
    atMs,
    previous: object,
    current: object,
  });
}

function filled(count: number, atMs: (n: number) => number, own = limits): EventWindow {
  const window = new EventWindow(own);
  window.beginAt(100 as Revision);
  for (let n = 1; n <= count; n += 1) window.push(record(100 + n, atMs(n)));
  return window;
}

test('a window starts at its given revision until a change is dropped', () => {
  const window = filled(10, () => 0);
  assert.equal(window.start, 100);
  assert.deepEqual(
    window.after(104 as Revision).map(({ revision }) => revision),
    [105, 106, 107, 108, 109, 110],
  );
  assert.equal(window.after(110 as Revision).length, 0);
});

test('a window grows while it is full of fresh changes, up to its bound', () => {
  assert.equal(filled(11, () => 0).capacity, 20);
  assert.equal(filled(79, () => 0).capacity, 80);
  const full = filled(200, () => 0);
  assert.equal(full.capacity, 80);
  assert.equal(full.length, 80);
  assert.equal(full.start, 220);
});

test('a window does not grow when its oldest change is not fresh', () => {
  const window = filled(30, (n) => n * 10_000);
  assert.equal(window.capacity, 10);
  assert.equal(window.start, 120);
});

test('a window shrinks when there is no traffic', () => {
  const window = filled(80, () => 0);
  window.trim(75_000);
  assert.equal(window.length, 10);
  assert.equal(window.capacity, 20);
  assert.equal(window.start, 170);
  window.trim(80_000);
  assert.equal(window.length, 10, 'the minimum stays, however old');
});

test('a window is bounded in bytes', () => {
  const { size } = record(101, 0);
  const window = filled(50, () => 0, { ...limits, historyBytesMax: 5 * size });
  assert.equal(window.length, 5);
  assert.equal(window.bytes, 5 * size);
  assert.equal(window.start, 145);
});

test('dropping many changes of a window leaves the rest in order', () => {
  const window = filled(5000, (n) => n * 1000);
  assert.equal(window.after(window.start).length, window.length);
  assert.deepEqual(
    window.after(window.start).map(({ revision }) => revision),
    Array.from({ length: window.length }, (_, n) => window.start + 1 + n),
  );
});

test('shrinking a window leaves its minimum', () => {
  const window = filled(80, () => 0);
  window.shrink();
  assert.equal(window.length, 10);
  assert.equal(window.capacity, 10);
  assert.equal(window.start, 170);
});
