import assert from 'node:assert/strict';
import { Compacted, FutureRevision } from '../contract/errors.ts';
import { compareKeys } from '../contract/keys.ts';
import type { Revision } from '../contract/revision.ts';
import { keysOf, listPaged, plain, put, putOf, remove, times, write } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import { describeEvent, Model } from './model.ts';
import { writeHistory } from './random-history.ts';
import { type ContractTest, type Subject, scaled } from './subject.ts';

export const historyTests: readonly ContractTest[] = [
  { name: 'reads at every retained revision return the values of that revision', run: pastReads },
  { name: 'paged lists stay at their revision while others write', run: stablePages },
  { name: 'a future revision cannot be read', run: futureReads },
  { name: 'compaction removes older revisions and nothing else', run: compaction },
  { name: 'compaction to an earlier revision changes nothing', run: compactBackwards },
  { name: 'compaction loses no present value', run: compactKeepsPresent },
  { name: 'a feed that compaction overtakes throws Compacted', run: overtaken },
];

async function pastReads(subject: Subject): Promise<void> {
  const { storage } = subject;
  const start = await storage.currentRevision();
  const model = await writeHistory(subject, scaled(subject, 150, 40));
  for (const revision of [start, ...model.revisions]) {
    for (const prefix of ['', 'a/', 'a']) {
      const expected = model.at(revision, prefix);
      const whole = await storage.list(prefix, { revision });
      assert.deepEqual(whole.items.map(plain), expected, `${prefix} at ${revision}`);
      const page = await storage.list(prefix, { revision, limit: 2 });
      assert.deepEqual(page.items.map(plain), expected.slice(0, 2));
      assert.equal(page.remaining, Math.max(0, expected.length - 2), `remaining at ${revision}`);
      const rest = await storage.list(prefix, { revision, after: 'a/1' });
      const behind = expected.filter((_, at) => compareKeys(whole.items[at]?.key ?? '', 'a/1') > 0);
      assert.deepEqual(rest.items.map(plain), behind);
    }
  }
}

async function stablePages(subject: Subject): Promise<void> {
  const { storage } = subject;
  const count = scaled(subject, 400, 60);
  await times(count, async (at) => {
    await put(storage, `keys/${at}`, 'before');
  });
  const before = (await storage.list('keys/')).items.map(plain);
  let at = 0;
  const disturb = async () => {
    at += 1;
    await Promise.all([
      remove(storage, `keys/${at}`),
      put(storage, `keys/${count - at}`, 'after'),
      put(storage, `keys/${at}-new`, 'after'),
    ]);
  };
  const paged = await listPaged(storage, 'keys/', { limit: Math.ceil(count / 20), each: disturb });
  assert.deepEqual(paged.items.map(plain), before);
  assert.ok(at > 10, 'others wrote meanwhile');
}

async function futureReads({ storage }: Subject): Promise<void> {
  const current = await put(storage, 'a');
  const future = (current + 1000) as Revision;
  await assert.rejects(storage.list('', { revision: future }), (error) => {
    assert.ok(error instanceof FutureRevision);
    assert.equal(error.requested, future);
    assert.ok(error.current >= current);
    return true;
  });
  await assert.rejects(storage.compact(future), FutureRevision);
  assert.deepEqual(keysOf(await storage.list('', { revision: current })), ['a']);
}

async function compaction(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const model = await writeHistory(subject, 60);
  const last = model.revisions.at(-1) as Revision;
  for (const compacted of model.revisions.filter((_, at) => at % 9 === 4)) {
    await storage.compact(compacted);
    assert.ok((await storage.stats()).compacted >= compacted);
    for (const revision of model.revisions) {
      const read = storage.list('', { revision });
      const reader = new FeedReader(storage, revision, waitMs);
      if (revision < compacted) {
        await assert.rejects(read, isCompacted(revision, compacted));
        await assert.rejects(reader.until(last), isCompacted(revision, compacted));
      } else {
        assert.deepEqual((await read).items.map(plain), model.at(revision));
        assert.deepEqual(
          (await reader.until(last)).map(describeEvent),
          model.eventsAfter(revision),
        );
        await reader.close();
      }
    }
  }
}

function isCompacted(requested: Revision, oldest: Revision): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Compacted, `expected Compacted, got ${String(error)}`);
    assert.equal(error.requested, requested);
    assert.ok(error.oldest >= oldest);
    return true;
  };
}

async function compactBackwards({ storage }: Subject): Promise<void> {
  const first = await put(storage, 'a', 'one');
  const second = await put(storage, 'a', 'two');
  await put(storage, 'a', 'three');
  await storage.compact(second);
  await storage.compact(first);
  await assert.rejects(storage.list('', { revision: first }), Compacted);
  const { items } = await storage.list('', { revision: second });
  assert.deepEqual(items.map(plain), [`a@${second}=two`]);
}

async function compactKeepsPresent(subject: Subject): Promise<void> {
  const { storage } = subject;
  const model = await writeHistory(subject, 80);
  const last = model.revisions.at(-1) as Revision;
  await storage.compact(await storage.currentRevision());
  assert.deepEqual((await storage.list('')).items.map(plain), model.at(last));
  for (const line of model.at(last)) {
    const key = line.slice(0, line.lastIndexOf('@'));
    assert.equal(plain(await storage.get(key)), line);
  }
  assert.equal(await storage.count(''), model.at(last).length);
}

/** Events in flight to the consumer may still arrive; a gap may not. */
async function overtaken(subject: Subject): Promise<void> {
  const { storage, waitMs } = subject;
  const start = await put(storage, 'a/1', 'start');
  const reader = new FeedReader(storage, start, waitMs);
  await reader.next();
  const model = new Model();
  for (let at = 0; at < scaled(subject, 1000, 200); at += 1) {
    const writes = [putOf(`${at % 3}`, `${at}`)];
    model.add(await write(storage, { require: [], writes }), writes);
  }
  const last = model.revisions.at(-1) as Revision;
  await storage.compact(last);
  const result = await reader.until(last).then(
    () => 'everything',
    (error) => error,
  );
  const expected = model.eventsAfter(start);
  assert.deepEqual(reader.events.map(describeEvent), expected.slice(0, reader.events.length));
  if (result === 'everything') assert.equal(reader.events.length, expected.length);
  else isCompacted(reader.progress, last)(result);
}
