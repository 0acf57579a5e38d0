/**
 * The Endpoints of a service's name go with it, so that a new service of the name does not begin with old addresses.
 * Upstream deletes them afterwards (`afterDelete` of its storage) and may stop in between, or meet those of the next
 * service; here both go in one write.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@tributary/apimachinery';
import type { Alongside, AlongsideWrites, Look } from '@tributary/server';
import { type Eventually, planDeletion, storedForm } from '@tributary/server/parts';
import {
  ABSENT,
  registryKeyPrefixOf,
  StorageUnreadable,
  type Stored,
  type Write,
} from '@tributary/storage';
import type { Service } from '../../generated/core-v1.ts';

const PREFIX = registryKeyPrefixOf({ group: '', resource: 'endpoints' });
const form = storedForm('v1', 'Endpoints');
const NOTHING: AlongsideWrites = { require: [], writes: [] };

/** What `own` writes, and the Endpoints of a service that goes. */
export function withEndpoints(own: Alongside<Service>, nowMs: () => number): Alongside<Service> {
  return {
    ...own,
    writes: (change, look) => {
      if (change.next !== undefined || change.live === undefined) return own.writes(change, look);
      return joined(own.writes(change, look), goingWith(change.live, { look, nowMs }));
    },
  };
}

async function joined(...parts: readonly Eventually<AlongsideWrites>[]): Promise<AlongsideWrites> {
  const all = await Promise.all(parts);
  return {
    require: all.flatMap(({ require }) => require),
    writes: all.flatMap(({ writes }) => writes),
  };
}

async function goingWith(
  { metadata }: Service,
  { look, nowMs }: { look: Look; nowMs: () => number },
): Promise<AlongsideWrites> {
  const key = `${PREFIX}${metadata.namespace}/${metadata.name}`;
  const stored = await readable(key, look);
  if (stored === 'unreadable') return NOTHING;
  // Whoever makes or changes them meanwhile is seen in the next attempt.
  const revision = stored?.revision ?? ABSENT;
  const write = stored && deletionOf(key, stored, nowMs());
  return { require: [{ key, revision }], writes: write ? [write] : [] };
}

/** Endpoints that nobody can read do not keep a service; upstream writes a line to its log. */
async function readable(key: string, look: Look): Promise<Stored | undefined | 'unreadable'> {
  try {
    return await look(key);
  } catch (error) {
    if (error instanceof StorageUnreadable) return 'unreadable';
    throw error;
  }
}

/** As if somebody deleted them: finalizers hold them. */
function deletionOf(key: string, stored: Stored, nowMs: number): Write | undefined {
  const live: KubeObject = form.decode(stored.value, stored.revision);
  const plan = planDeletion(live, {}, { nowMs, graceSeconds: undefined });
  if (plan.kind === 'remove') return { kind: 'delete', key };
  if (plan.kind === 'pending' || isDeepStrictEqual(plan.object, live)) return undefined;
  return { kind: 'put', key, value: form.encode(plan.object) };
}
