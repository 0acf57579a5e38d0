import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeEvent, Revision } from '@tributary/storage';
import { FeedTail } from './feed-tail.ts';

function event(revision: number, bytes = 10): ChangeEvent {
  const value = new Uint8Array(bytes);
  return { kind: 'put', key: 'a', revision: revision as Revision, value, previous: undefined };
}

function commit(tail: FeedTail, revision: number, events = 1, bytes?: number): void {
  for (let at = 0; at < events; at += 1) tail.append(event(revision, bytes));
  tail.reached(revision as Revision);
}

test('the tail retains the events after the slowest feed, and none without feeds', () => {
  const tail = new FeedTail(1 as Revision);
  commit(tail, 2);
  assert.equal(tail.covers(1 as Revision), false, 'no feed needs it');
  const slow = tail.join(2 as Revision);
  const quick = tail.join(2 as Revision);
  for (let revision = 3; revision <= 10; revision += 1) {
    commit(tail, revision);
    quick.progress = revision as Revision;
  }
  assert.deepEqual(
    tail.after(slow).events.map(({ revision }) => revision),
    [3, 4, 5, 6, 7, 8, 9, 10],
  );
  slow.progress = 7 as Revision;
  commit(tail, 11);
  assert.equal(tail.covers(6 as Revision), false);
  assert.equal(tail.covers(7 as Revision), true);
  tail.leave(slow);
  tail.leave(quick);
  assert.equal(tail.covers(10 as Revision), false);
  assert.equal(tail.covers(11 as Revision), true);
});

const bounds = [
  { name: 'events', commits: 30_000, bytes: 1 },
  { name: 'bytes', commits: 100, bytes: 1_000_000 },
];
for (const { name, commits, bytes } of bounds) {
  test(`the tail drops the oldest events when there are too many ${name}, and no longer covers them`, () => {
    const tail = new FeedTail(1 as Revision);
    const slow = tail.join(1 as Revision);
    for (let revision = 2; revision <= commits; revision += 1) commit(tail, revision, 1, bytes);
    assert.equal(tail.covers(slow.progress), false);
    slow.progress = (commits - 5) as Revision;
    assert.equal(tail.covers(slow.progress), true);
    assert.equal(tail.after(slow).events.length, 5);
  });
}

test('a commit is never split over batches', () => {
  const tail = new FeedTail(1 as Revision);
  const position = tail.join(1 as Revision);
  for (let revision = 2; revision < 200; revision += 1) commit(tail, revision, 13);
  while (position.progress < 199) {
    const { events, progress } = tail.after(position);
    assert.equal(events.length % 13, 0);
    assert.equal(events.at(-1)?.revision, progress);
    position.progress = progress;
  }
});

test('the tail covers no revision whose events it did not get', () => {
  const tail = new FeedTail(1 as Revision);
  tail.join(1 as Revision);
  tail.skipTo(5 as Revision);
  assert.equal(tail.covers(1 as Revision), false);
  assert.equal(tail.covers(5 as Revision), true);
  assert.equal(tail.end, 5);
});
