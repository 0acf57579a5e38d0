import type { Pod } from '@tributary/api/core-v1';
import type { Client } from '@tributary/client';
import type { Leftovers, NamespacedResource, RemoteGroups } from '@tributary/client/controller';
import { pods as podResource } from '@tributary/client/controller';
import type { DeletionFindings } from './conditions.ts';
import { deleteContent } from './delete-content.ts';
import { discoverContent } from './discover-content.ts';
import { emptyRemoteGroups, type RemoteFindings } from './empty-remote-groups.ts';

/** At the same time, within one namespace. */
const RESOURCES_AT_ONCE = 8;

interface Emptied extends DeletionFindings {
  readonly unreachable: RemoteFindings['unreachable'];
}

interface EmptiedPlace {
  readonly namespace: string;
  /** Since its deletion was asked for. */
  readonly deletedForMs: number;
  readonly signal: AbortSignal;
}

/** Deletes everything in a namespace once, and tells what is left and why. */
export async function emptyNamespace(
  client: Client,
  remoteGroups: Pick<RemoteGroups, 'all' | 'deleteContent'> | undefined,
  place: EmptiedPlace,
): Promise<Emptied> {
  const others = remoteGroups?.all() ?? new Map<string, string | undefined>();
  const content = await discoverContent(client, others, place.signal);
  const pods = content.resources.find(({ group, plural }) => group === '' && plural === 'pods');
  const failures: string[] = [];
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const take = (resource: NamespacedResource, left: Leftovers) => {
    const key = `${resource.plural}.${resource.group}`;
    // Several versions of another server mostly have the same objects: they are counted once.
    const isCounted = remaining.has(key);
    if (left.count === 0) return;
    remaining.set(key, left.count);
    if (left.isUnderWay) return;
    for (const [name, count] of isCounted ? [] : left.finalizers) {
      finalizers.set(name, (finalizers.get(name) ?? 0) + count);
    }
    if (left.finalizers.size > 0 || left.isExpected) return;
    failures.push(unexpected(resource, place.namespace));
  };
  const empty = async (resource: NamespacedResource) => {
    try {
      const left = await deleteContent(client, resource, place);
      const isExpected = resource === pods && left.count > 0 && (await isInGrace(client, place));
      take(resource, { ...left, isExpected });
    } catch (error) {
      place.signal.throwIfAborted();
      failures.push(error instanceof Error ? error.message : String(error));
    }
  };
  // Pods may still use what lies beside them: they go first, and the rest waits for them.
  if (pods !== undefined) await empty(pods);
  if (remaining.size > 0) {
    const awaitsPods = true;
    return { ...content, unreachable: new Map(), failures, remaining, finalizers, awaitsPods };
  }
  const rest = content.resources.filter((resource) => resource !== pods);
  const turn = rest.values();
  const emptying = Array.from({ length: RESOURCES_AT_ONCE }, async () => {
    for (const resource of turn) await empty(resource);
  });
  // Beside them, so that what is here never waits for what is elsewhere.
  const elsewhere = emptyRemoteGroups(remoteGroups, { others, ...content, take, ...place });
  const [remote] = await Promise.all([elsewhere, ...emptying]);
  const { undiscovered } = content;
  const { unreachable } = remote;
  return {
    undiscovered,
    unreachable,
    failures: [...failures, ...remote.failures],
    remaining,
    finalizers,
  };
}

/** Whether a pod that was told to end may still take its time. */
async function isInGrace(
  client: Client,
  { namespace, deletedForMs, signal }: EmptiedPlace,
): Promise<boolean> {
  const { items } = await client.resource<Pod>(podResource).in(namespace).list({ signal });
  return items.some(({ spec, status }) => {
    if (status.phase === 'Succeeded' || status.phase === 'Failed') return false;
    return deletedForMs < Number(spec.terminationGracePeriodSeconds ?? 0) * 1000;
  });
}

function unexpected({ group, version, plural }: NamespacedResource, namespace: string): string {
  const resource = `${group}/${version}, Resource=${plural}`;
  return `unexpected items still remain in namespace: ${namespace} for gvr: ${resource}`;
}
