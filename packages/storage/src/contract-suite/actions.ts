import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { compareKeys } from '../contract/keys.ts';
import type { Revision } from '../contract/revision.ts';
import type { Change, KeyRevision, Page, Storage, Stored } from '../contract/storage.ts';

export function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

export function text(value: Uint8Array): string {
  return Buffer.from(value).toString();
}

export interface PutOptions {
  readonly require?: readonly KeyRevision[];
  readonly ttlSeconds?: number;
}

export function putOf(key: string, value: string, ttlSeconds?: number): Change['writes'][number] {
  const write = { kind: 'put' as const, key, value: bytes(value) };
  return ttlSeconds === undefined ? write : { ...write, ttlSeconds };
}

export function put(
  storage: Storage,
  key: string,
  value = `value of ${key}`,
  { require = [], ttlSeconds }: PutOptions = {},
): Promise<Revision> {
  return write(storage, { require, writes: [putOf(key, value, ttlSeconds)] });
}

export function remove(storage: Storage, key: string): Promise<Revision> {
  return write(storage, { require: [], writes: [{ kind: 'delete', key }] });
}

/** A commit that must succeed. */
export async function write(storage: Storage, change: Change): Promise<Revision> {
  const result = await storage.commit(change);
  if (result.outcome !== 'written') assert.fail(`conflict at ${result.key}, expected a write`);
  return result.revision;
}

export function keysOf({ items }: Page): string[] {
  return items.map(({ key }) => key);
}

/** A value in a form that compares and prints well. */
export function plain(stored: Stored | undefined): string | undefined {
  return stored && `${stored.key}@${stored.revision}=${text(stored.value)}`;
}

/** Follows pages to the end, at the revision of the first. */
export async function listPaged(
  storage: Storage,
  prefix: string,
  options: {
    readonly limit: number;
    readonly revision?: Revision;
    readonly each?: () => Promise<void>;
  },
): Promise<{ revision: Revision; items: Stored[] }> {
  let page = await storage.list(prefix, options);
  const { revision } = page;
  const items = [...page.items];
  while (page.remaining > 0) {
    await options.each?.();
    const after: string | undefined = page.items.at(-1)?.key;
    assert.ok(after !== undefined, 'an empty page with more to come');
    page = await storage.list(prefix, { limit: options.limit, after, revision });
    assert.equal(page.revision, revision, 'a page has the requested revision');
    const first = page.items[0]?.key;
    assert.ok(
      first !== undefined && compareKeys(first, after) > 0,
      'a page begins behind the last',
    );
    items.push(...page.items);
  }
  return { revision, items };
}

/** Waits until a condition holds. */
export async function eventually(
  what: string,
  waitMs: number,
  isTrue: () => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + waitMs;
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, `${what}: not within ${waitMs} ms`);
    await delay(5);
  }
}

/** Fails instead of waiting for ever. */
export async function within<Value>(
  what: string,
  waitMs: number,
  promise: Promise<Value>,
): Promise<Value> {
  const timer = new AbortController();
  const late = delay(waitMs, undefined, { signal: timer.signal }).then(() =>
    assert.fail(`${what}: not within ${waitMs} ms`),
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
    // The loser of the race is only cancelled; its rejection adds nothing.
    late.catch(() => undefined);
  }
}

export async function times(count: number, run: (index: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}
