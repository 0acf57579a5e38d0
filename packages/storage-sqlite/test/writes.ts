import assert from 'node:assert/strict';
import type { Revision, Storage } from '@tributary/storage';

/** A put that must succeed. */
export async function put(
  storage: Storage,
  key: string,
  value: string | Uint8Array = `value of ${key}`,
  ttlSeconds?: number,
): Promise<Revision> {
  const write = { kind: 'put' as const, key, value: Buffer.from(value) };
  const writes = [ttlSeconds === undefined ? write : { ...write, ttlSeconds }];
  const result = await storage.commit({ require: [], writes });
  if (result.outcome !== 'written') assert.fail(`conflict at ${result.key}`);
  return result.revision;
}

export async function remove(storage: Storage, key: string): Promise<Revision> {
  const result = await storage.commit({ require: [], writes: [{ kind: 'delete', key }] });
  if (result.outcome !== 'written') assert.fail(`conflict at ${result.key}`);
  return result.revision;
}

export function keyOf(at: number): string {
  return `/registry/pods/default/pod-${String(at).padStart(6, '0')}`;
}

/** Many puts by several writers at once. */
export async function putMany(
  storage: Storage,
  count: number,
  value: (at: number) => string | Uint8Array = () => 'x'.repeat(1000),
): Promise<void> {
  let next = 0;
  const writer = async () => {
    while (next < count) {
      const at = next;
      next += 1;
      await put(storage, keyOf(at), value(at));
    }
  };
  await Promise.all(Array.from({ length: 64 }, writer));
}

/** All events of a feed up to a revision, a line for each event. */
export async function describeEvents(
  storage: Storage,
  after: Revision,
  until: Revision,
): Promise<string[]> {
  const lines: string[] = [];
  const stop = new AbortController();
  if (after >= until) return lines;
  for await (const { events, progress } of storage.feed(after, { signal: stop.signal })) {
    for (const event of events) {
      const value = event.kind === 'put' ? Buffer.from(event.value).toString() : 'deleted';
      const before = event.previous ? `${event.previous.revision}` : 'nothing';
      lines.push(`${event.revision} ${event.key} ${value} replacing ${before}`);
    }
    if (progress >= until) break;
  }
  return lines;
}

/** The whole store, a line for each value. */
export async function contents(storage: Storage, revision?: Revision): Promise<string[]> {
  const { items } = await storage.list('', revision === undefined ? {} : { revision });
  return items.map((item) => `${item.key}@${item.revision}=${Buffer.from(item.value)}`);
}
