import assert from 'node:assert/strict';
import { Compacted } from '../contract/errors.ts';
import type { Revision } from '../contract/revision.ts';
import { CHANGE_KEYS_MAX } from '../contract/storage.ts';
import { put, putOf, remove, times, within, write } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import { describeEvent, Model } from './model.ts';
import { writeHistory } from './random-history.ts';
import { type ContractTest, type Subject, scaled } from './subject.ts';

/** Long enough to notice an event that should not arrive. */
const SILENCE_MS = 60;

export const feedTests: readonly ContractTest[] = [
  {
    name: 'a feed from every retained revision has each change once, in order',
    run: everyRevision,
  },
  { name: 'a feed has the value that each change replaced', run: previousValues },
  { name: 'a live feed has the commits of concurrent writers', run: liveFeed },
  { name: 'progress reaches currentRevision without traffic', run: progressWhenIdle },
  { name: 'a feed after a future revision is silent until it is passed', run: futureRevision },
  { name: 'a signal ends a sleeping feed without an error', run: signalEnds },
  { name: 'a consumer that leaves ends its feed and no other', run: consumerLeaves },
  {
    name: 'a slow consumer blocks no writer and misses no change without an error',
    run: slowConsumer,
  },
  { name: 'a commit is not split over two batches', run: wholeCommits },
  { name: 'compaction behind a feed does not disturb it', run: compactionBehind },
];

async function everyRevision(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const start = await storage.currentRevision();
  const model = await writeHistory(subject, scaled(subject, 150, 40));
  const last = model.revisions.at(-1) as Revision;
  for (const after of [start, ...model.revisions]) {
    const reader = new FeedReader(storage, after, waitMs);
    const events = await reader.until(last);
    assert.deepEqual(events.map(describeEvent), model.eventsAfter(after), `after ${after}`);
    await reader.close();
  }
}

async function previousValues({ storage, waitMs }: Subject): Promise<void> {
  const start = await storage.currentRevision();
  const one = await put(storage, 'a', 'one');
  const two = await put(storage, 'a', 'two');
  const gone = await remove(storage, 'a');
  const again = await put(storage, 'a', 'again');
  const reader = new FeedReader(storage, start, waitMs);
  assert.deepEqual((await reader.until(again)).map(describeEvent), [
    `${one} a =one, before nothing`,
    `${two} a =two, before a@${one}=one`,
    `${gone} a deleted, before a@${two}=two`,
    `${again} a =again, before nothing`,
  ]);
  await reader.close();
}

async function liveFeed(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const start = await storage.currentRevision();
  const readers = Array.from({ length: 3 }, () => new FeedReader(storage, start, waitMs));
  await Promise.all(readers.map((reader) => reader.next()));
  const model = new Model();
  const writing = times(16, async (writer) => {
    for (let at = 0; at < scaled(subject, 40, 10); at += 1) {
      const writes = [putOf(`${writer}`, `${at}`), putOf(`${writer}/${at}`, 'x')];
      model.add(await write(storage, { require: [], writes }), writes);
    }
  });
  const until = async (reader: FeedReader) => {
    await reader.untilEvent('the first event', () => true);
    await writing;
    await reader.until(model.revisions.at(-1) as Revision);
  };
  await Promise.all([writing, ...readers.map(until)]);
  for (const reader of readers) {
    assert.deepEqual(reader.events.map(describeEvent), model.eventsAfter(start));
    await reader.close();
  }
}

async function progressWhenIdle({ storage, waitMs }: Subject): Promise<void> {
  const early = new FeedReader(storage, await storage.currentRevision(), waitMs);
  await put(storage, 'a');
  await put(storage, 'b');
  await early.until(await storage.currentRevision());
  assert.equal(early.events.length, 2);
  const late = new FeedReader(storage, await storage.currentRevision(), waitMs);
  const first = await late.next();
  assert.ok(typeof first === 'object', 'a feed of an idle store tells its progress');
  assert.deepEqual(first.events, []);
  assert.ok(first.progress >= (await storage.currentRevision()));
  await Promise.all([early.close(), late.close()]);
}

async function futureRevision({ storage, waitMs }: Subject): Promise<void> {
  const now = await put(storage, 'a', '0');
  const reader = new FeedReader(storage, (now + 3) as Revision, waitMs);
  assert.equal(await reader.next(SILENCE_MS), 'silent');
  await put(storage, 'a', '1');
  assert.equal(await reader.next(SILENCE_MS), 'silent');
  let last = now;
  while (last <= now + 3) last = await put(storage, 'a', 'more');
  const events = await reader.until(last);
  assert.deepEqual(
    events.map(({ revision }) => revision),
    [last],
  );
  await reader.close();
}

async function signalEnds({ storage, waitMs }: Subject): Promise<void> {
  const sleeping = new FeedReader(storage, await put(storage, 'a'), waitMs);
  await sleeping.next();
  const [asleep] = await Promise.all([sleeping.next(), sleeping.close()]);
  assert.equal(asleep, 'ended');
  const signal = AbortSignal.abort(new Error('this must not surface'));
  const iteration = async () => {
    for await (const batch of storage.feed(await storage.currentRevision(), { signal })) {
      assert.fail(`a batch up to ${batch.progress} of a feed that was aborted before it began`);
    }
  };
  await within('the end of a feed that was aborted before', waitMs, iteration());
}

async function consumerLeaves({ storage, waitMs }: Subject): Promise<void> {
  const start = await storage.currentRevision();
  const stays = new FeedReader(storage, start, waitMs);
  const { signal } = new AbortController();
  const leaves = async () => {
    for await (const { events } of storage.feed(start, { signal })) if (events.length > 0) return;
  };
  const left = leaves();
  const first = await put(storage, 'a');
  await within('leaving a feed', waitMs, left);
  const second = await put(storage, 'b');
  assert.deepEqual(
    (await stays.until(second)).map(({ revision }) => revision),
    [first, second],
  );
  await stays.close();
}

async function slowConsumer(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const start = await storage.currentRevision();
  const slow = new FeedReader(storage, start, waitMs);
  await slow.next();
  const model = new Model();
  await times(16, async (writer) => {
    for (let at = 0; at < scaled(subject, 250, 20); at += 1) {
      const writes = [putOf(`${writer}/${at % 7}`, `${at} ${'x'.repeat(500)}`)];
      model.add(await within('a commit', waitMs, write(storage, { require: [], writes })), writes);
    }
  });
  try {
    const events = await slow.until(model.revisions.at(-1) as Revision);
    assert.deepEqual(events.map(describeEvent), model.eventsAfter(start));
    await slow.close();
  } catch (error) {
    // The other correct result: an error about the events that it did not read.
    if (!(error instanceof Compacted)) throw error;
    subject.t.diagnostic('the slow consumer was overtaken by compaction');
  }
}

async function wholeCommits(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const start = await storage.currentRevision();
  const size = CHANGE_KEYS_MAX - 3;
  let last = start;
  for (let at = 0; at < scaled(subject, 40, 15); at += 1) {
    const writes = Array.from({ length: size }, (_, key) => putOf(`${key}`, `${at}`));
    last = await write(storage, { require: [], writes });
  }
  const reader = new FeedReader(storage, start, waitMs);
  while (reader.progress < last) {
    const batch = await reader.next();
    assert.ok(typeof batch === 'object', 'the feed goes on');
    assert.equal(batch.events.length % size, 0, 'whole commits');
  }
  await reader.close();
}

async function compactionBehind(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const start = await storage.currentRevision();
  const reader = new FeedReader(storage, start, waitMs);
  const model = new Model();
  for (let at = 0; at < scaled(subject, 100, 20); at += 1) {
    const writes = [putOf(`${at % 5}`, `${at}`)];
    const revision = await write(storage, { require: [], writes });
    model.add(revision, writes);
    await reader.until(revision);
    await storage.compact(revision);
  }
  assert.deepEqual(reader.events.map(describeEvent), model.eventsAfter(start));
  await reader.close();
}
