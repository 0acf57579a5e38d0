import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock, type Revision } from '@tributary/storage';
import { EMPTY_STATE, type State } from '../database/state.ts';
import { CompactionPolicy } from './compaction-policy.ts';

const MINUTE = 60_000;
const bounds = { retainMs: 5 * MINUTE, bytesMax: 1_000_000 };

function at(revision: number, compacted = 0): State {
  return { ...EMPTY_STATE, revision: revision as Revision, compacted: compacted as Revision };
}

test('history is retained for five minutes and not for ten', () => {
  const clock = manualClock();
  const policy = new CompactionPolicy(bounds, clock, at(1));
  const written = new Map<number, number>();
  let revision = 1;
  let compacted = 0;
  for (let second = 0; second < 30 * 60; second += 1) {
    revision += 1;
    written.set(revision, clock.nowMs());
    const target = policy.target(at(revision, compacted));
    if (target !== undefined) {
      assert.ok(
        clock.nowMs() - (written.get(target) ?? 0) >= bounds.retainMs,
        'too young to forget',
      );
      compacted = target;
    }
    const oldest = written.get(compacted + 1) ?? clock.nowMs();
    assert.ok(clock.nowMs() - oldest <= 2 * bounds.retainMs, 'too old to keep');
    clock.advance(1000);
  }
  assert.ok(compacted > 20 * 60, 'it was forgotten all along');
});

test('no history is compacted before five minutes have passed, also after a restart', () => {
  const clock = manualClock();
  const restarted = new CompactionPolicy(bounds, clock, { ...at(500, 100), historyBytes: 5000 });
  clock.advance(bounds.retainMs - 1);
  assert.equal(restarted.target(at(600, 100)), undefined);
  clock.advance(1);
  assert.equal(restarted.target(at(600, 100)), 500);
  assert.equal(restarted.target(at(600, 500)), undefined);
});

test('history above its bound is compacted at once, but no more than needed', () => {
  const policy = new CompactionPolicy(bounds, manualClock(), at(1));
  const bytes = 10_000;
  let compacted = 0;
  for (let revision = 2; revision < 1000; revision += 1) {
    policy.added(bytes);
    compacted = policy.target(at(revision, compacted)) ?? compacted;
    const retained = (revision - Math.max(compacted, 1)) * bytes;
    assert.ok(retained <= bounds.bytesMax, `${retained} bytes are retained`);
    if (compacted > 0)
      assert.ok(retained >= bounds.bytesMax / 2, `only ${retained} bytes are retained`);
  }
});

test('an idle store wakes for its policy now and then, not all the time', () => {
  const clock = manualClock();
  const policy = new CompactionPolicy(bounds, clock, at(1));
  assert.equal(policy.waitMs, 30_000);
  clock.advance(30_000);
  policy.target(at(1));
  assert.equal(policy.waitMs, 30_000);
});
