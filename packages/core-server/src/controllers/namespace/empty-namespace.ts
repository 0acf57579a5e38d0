import type { Pod } from '@tributary/api/core-v1';
import type { Client } from '@tributary/client';
import type { Leftovers, NamespacedResource, RemoteGroups } from '@tributary/client/controller';
import { pods as podResource } from '@tributary/client/controller';
import type { DeletionFindings } from './conditions.ts';
import { deleteContent } from './delete-content.ts';
import { discoverContent } from './discover-content.ts';
import { emptyRemoteGroups, type RemoteFindings } from './empty-remote-groups.ts';

/** Resources processed concurrently in one namespace. */
const RESOURCES_AT_ONCE = 8;

interface NamespaceFindings extends DeletionFindings {
  readonly unreachable: RemoteFindings['unreachable'];
}

interface TerminatingNamespace {
  readonly namespace: string;
  /** The time since the deletion was requested. */
  readonly deletedForMs: number;
  readonly signal: AbortSignal;
}

/** Deletes the content of a namespace once, and returns what remains and why. */
export async function emptyNamespace(
  client: Client,
  remoteGroups: Pick<RemoteGroups, 'all' | 'deleteContent'> | undefined,
  place: TerminatingNamespace,
): Promise<NamespaceFindings> {
  const others = remoteGroups?.all() ?? new Map<string, string | undefined>();
  const content = await discoverContent(client, others, place.signal);
  const pods = content.resources.find(({ group, plural }) => group === '' && plural === 'pods');
  const failures: string[] = [];
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const take = (resource: NamespacedResource, left: Leftovers) => {
    const key = `${resource.plural}.${resource.group}`;
    // Versions of a resource on another server usually have the same objects, which are counted once.
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
  // Pods may use other objects, so they are deleted first.
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
  // Concurrently, so that local deletion does not wait for other servers.
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

/** Whether a terminating pod is within its grace period. */
async function isInGrace(
  client: Client,
  { namespace, deletedForMs, signal }: TerminatingNamespace,
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
