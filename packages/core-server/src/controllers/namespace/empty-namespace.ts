import type { Client } from '@tributary/client';
import type { DeletionFindings } from './conditions.ts';
import { deleteContent } from './delete-content.ts';
import { discoverContent, type NamespacedResource } from './discover-content.ts';

/** At the same time, within one namespace. */
const RESOURCES_AT_ONCE = 8;

/** Deletes everything in a namespace once, and tells what is left and why. */
export async function emptyNamespace(
  client: Client,
  place: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<DeletionFindings> {
  const { resources, undiscovered } = await discoverContent(client, place.signal);
  const failures: string[] = [];
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const empty = async (resource: NamespacedResource) => {
    try {
      const left = await deleteContent(client, resource, place);
      if (left.count === 0) return;
      remaining.set(`${resource.plural}.${resource.group}`, left.count);
      for (const [name, count] of left.finalizers) {
        finalizers.set(name, (finalizers.get(name) ?? 0) + count);
      }
      if (left.finalizers.size === 0) failures.push(unexpected(resource, place.namespace));
    } catch (error) {
      place.signal.throwIfAborted();
      failures.push(error instanceof Error ? error.message : String(error));
    }
  };
  // Pods may still use what lies beside them: they go first, and the rest waits for them.
  const pods = resources.find(({ group, plural }) => group === '' && plural === 'pods');
  if (pods !== undefined) await empty(pods);
  if (remaining.size === 0) {
    const others = resources.filter((resource) => resource !== pods);
    const turn = others.values();
    await Promise.all(
      Array.from({ length: RESOURCES_AT_ONCE }, async () => {
        for (const resource of turn) await empty(resource);
      }),
    );
  }
  return { undiscovered, failures, remaining, finalizers };
}

function unexpected({ group, version, plural }: NamespacedResource, namespace: string): string {
  const resource = `${group}/${version}, Resource=${plural}`;
  return `unexpected items still remain in namespace: ${namespace} for gvr: ${resource}`;
}
