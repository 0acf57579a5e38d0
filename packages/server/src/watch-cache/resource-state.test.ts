import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import { podBytes, pods } from '../../test/watch-cache-fixture.ts';
import { ByteSlabs } from './byte-slabs.ts';
import { decodeStored, type ObjectContext, type ResourceObject } from './cached-object.ts';
import { FrameCatalog } from './frames.ts';
import { defaultLimits } from './limits.ts';
import { ResourceState } from './resource-state.ts';

const OBJECTS = 12_000;
const PADDING = 'x'.repeat(1000);
const key = (number: number) => `${pods.prefix}eu/pod-${number}`;

/** A state that exceeds the idle memory that slabs may have. */
function filledState(): { state: ResourceState; slabs: ByteSlabs } {
  const slabs = new ByteSlabs();
  const frames = new FrameCatalog();
  const context: ObjectContext = { resource: pods, frames, derivedBytes: undefined, slabs };
  const state = new ResourceState(context, { ...defaultLimits, historyEventsMin: 0 });
  for (let number = 0; number < OBJECTS; number += 1) state.load(podOf(state, number, 1));
  state.beginAt(1 as Revision);
  return { state, slabs };
}

function podOf(state: ResourceState, number: number, revision: number): ResourceObject {
  const value = podBytes(`eu/pod-${number}`, { labels: { padding: PADDING } });
  return decodeStored(state.context, { key: key(number), value, revision: revision as Revision });
}

/** Like the clock's tick, about once a second. */
function tidyAll(state: ResourceState): void {
  for (let times = 0; times < 1000; times += 1) state.tidy();
}

test('after many deletions the remaining objects do not hold the memory of the others', () => {
  const { state, slabs } = filledState();
  const before = slabs.bytes;
  const texts = new Map<number, string>();
  for (let number = 0; number < OBJECTS; number += 1) {
    if (number % 50 === 0) texts.set(number, String(state.get(key(number))?.bytes));
    else state.unload(key(number));
  }
  assert.equal(slabs.bytes, before);
  tidyAll(state);
  assert.ok(slabs.bytes < before / 10, `${slabs.bytes} of ${before} are left`);
  assert.equal(state.size, texts.size);
  for (const [number, text] of texts) {
    assert.equal(String(state.get(key(number))?.bytes), text);
  }
});

test('memory is freed when history has dropped the replaced objects', () => {
  const { state, slabs } = filledState();
  const before = slabs.bytes;
  for (let number = 0; number < OBJECTS; number += 1) {
    const revision = (number + 2) as Revision;
    const current = podOf(state, number, revision);
    state.change(key(number), { revision, atMs: 0, current });
  }
  assert.ok(slabs.bytes > 1.9 * before, 'history has the old objects');
  state.window.trim(defaultLimits.historyFreshMs);
  assert.ok(slabs.bytes < 1.1 * before, `${slabs.bytes} are left, it was ${before}`);
});
