import assert from 'node:assert/strict';
import type { Revision } from '../contract/revision.ts';
import { keysOf, put, putOf, remove, times, write } from './actions.ts';
import { FeedReader } from './feed-reader.ts';
import { type ContractTest, type Subject, scaled } from './subject.ts';

const WRITES_PER_COMMIT = 50;
const VALUE = 'x'.repeat(200);
/** Far above the needs of any engine: the fastest of many gets detects a scan of everything, not a busy machine. */
const GET_MS_MAX = 50;

export const sizeTests: readonly ContractTest[] = [
  { name: '100,000 objects are listed, paged, counted, read and in a feed', run: manyObjects },
];

async function manyObjects(subject: Subject): Promise<void> {
  const { storage, waitMs, t } = subject;
  const count = scaled(subject, 100_000, 1000);
  const start = await storage.currentRevision();
  const smallMs = await fastestGetMs(subject, 1);
  await timed(t, `writing ${count}`, () => fill(subject, count));
  const last = await storage.currentRevision();

  const whole = await timed(t, 'one list', () => storage.list('objects/'));
  assert.equal(whole.items.length, count);
  assert.deepEqual(
    keysOf(whole),
    Array.from({ length: count }, (_, at) => keyOf(at)),
  );
  assert.equal(await timed(t, 'count', () => storage.count('objects/')), count);

  await put(storage, keyOf(count), 'later');
  await remove(storage, keyOf(0));
  const paged = await timed(t, 'pages of 500', () => pageKeys(subject, last));
  assert.deepEqual(paged, keysOf(whole), 'pages at an earlier revision');

  const reader = new FeedReader(storage, start, waitMs);
  const events = await timed(t, 'feed from the beginning', () => reader.until(last));
  assert.equal(new Set(events.map(({ key }) => key)).size, count);
  await reader.close();

  const largeMs = await fastestGetMs(subject, count);
  t.diagnostic(
    `get: ${smallMs.toFixed(3)} ms with 1 object, ${largeMs.toFixed(3)} ms with ${count}`,
  );
  assert.ok(largeMs < GET_MS_MAX, `a get takes ${largeMs} ms`);
}

function keyOf(at: number): string {
  return `objects/${String(at).padStart(7, '0')}`;
}

async function fill({ storage }: Subject, count: number): Promise<void> {
  let next = 0;
  await times(8, async () => {
    while (next < count) {
      const first = next;
      next = Math.min(count, next + WRITES_PER_COMMIT);
      const writes = Array.from({ length: next - first }, (_, at) =>
        putOf(keyOf(first + at), VALUE),
      );
      await write(storage, { require: [], writes });
    }
  });
}

async function pageKeys({ storage }: Subject, revision: Revision): Promise<string[]> {
  const keys: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await storage.list('objects/', { limit: 500, after, revision });
    keys.push(...keysOf(page));
    after = page.remaining > 0 ? page.items.at(-1)?.key : undefined;
  }
  return keys;
}

async function fastestGetMs({ storage, random }: Subject, count: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < 200; at += 1) {
    const started = performance.now();
    await storage.get(keyOf(random.below(count)));
    fastest = Math.min(fastest, performance.now() - started);
  }
  return fastest;
}

async function timed<Value>(
  t: Subject['t'],
  what: string,
  run: () => Promise<Value>,
): Promise<Value> {
  const started = performance.now();
  const value = await run();
  t.diagnostic(`${what}: ${Math.round(performance.now() - started)} ms`);
  return value;
}
