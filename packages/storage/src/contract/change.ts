import { assertKey } from './keys.ts';
import { ABSENT } from './revision.ts';
import type { Change, Stored, Write } from './storage.ts';
import { CHANGE_KEYS_MAX } from './storage.ts';

/** Throws a TypeError for a change that violates the contract, so that engines need not agree on an outcome. */
export function assertChange({ require, writes }: Change): void {
  if (writes.length === 0) throw new TypeError('a change needs at least one write');
  if (writes.length > CHANGE_KEYS_MAX || require.length > CHANGE_KEYS_MAX) {
    throw new TypeError(`a change has at most ${CHANGE_KEYS_MAX} writes and as many requirements`);
  }
  const written = new Set<string>();
  for (const write of writes) {
    assertKey(write.key);
    if (written.has(write.key)) throw new TypeError(`two writes of one key: ${write.key}`);
    written.add(write.key);
    if (write.kind === 'put') assertTtl(write);
  }
  for (const { key } of require) assertKey(key);
}

function assertTtl({ key, ttlSeconds }: Write & { kind: 'put' }): void {
  if (ttlSeconds === undefined || (ttlSeconds > 0 && Number.isFinite(ttlSeconds))) return;
  throw new TypeError(`ttlSeconds of ${key} must be above 0, not ${ttlSeconds}`);
}

export interface Conflict {
  readonly outcome: 'conflict';
  readonly key: string;
  readonly current: Stored | undefined;
}

/**
 * Returns the first requirement that does not hold, or else the first delete of a missing key. `current` reads the
 * store within the commit.
 */
export function findConflict(
  { require, writes }: Change,
  current: (key: string) => Stored | undefined,
): Conflict | undefined {
  for (const { key, revision } of require) {
    const found = current(key);
    if ((found?.revision ?? ABSENT) !== revision)
      return { outcome: 'conflict', key, current: found };
  }
  for (const { kind, key } of writes) {
    if (kind === 'delete' && current(key) === undefined) {
      return { outcome: 'conflict', key, current: undefined };
    }
  }
  return undefined;
}
