import type { Namespace } from '@tributary/api/core-v1';
import type { Client, Clock } from '@tributary/client';
import { ignoreNotFound, namespaces } from '@tributary/client/controller';
import type { Backends } from '@tributary/proxy';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { NamespaceDebt } from '../kinds/namespace-debt.ts';
import { deleteLeftovers, type HeldLeftovers, type IsIncluded } from './delete-leftovers.ts';
import { isAllDeleted } from './known-debts.ts';
import { resourcesToDelete } from './resources-to-delete.ts';

export interface DeleteContentOptions {
  readonly client: Pick<Client, 'resource'>;
  readonly backends: Pick<Backends, 'of'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export type DeletionResult =
  | { readonly outcome: 'paid' }
  /** Everything is deleted, and these finalizers hold something. */
  | { readonly outcome: 'held'; readonly finalizers: readonly string[] }
  /** The namespace is still there: its own controller has to do with it. */
  | { readonly outcome: 'early' }
  /** There is nothing to pay: the namespace is not deleted at all. */
  | { readonly outcome: 'void' };

/** One attempt to delete what a namespace has left on a server. Throws when that server does not do it. */
export async function deleteContent(
  { client, backends, clock, signal }: DeleteContentOptions,
  registration: RemoteRegistration,
  debt: NamespaceDebt,
): Promise<DeletionResult> {
  const { spec } = debt;
  const live = await ignoreNotFound(
    client.resource<Namespace>(namespaces).get(spec.namespace, { signal }),
  );
  if (live?.metadata.uid === spec.namespaceUid) {
    return { outcome: live.metadata.deletionTimestamp ? 'early' : 'void' };
  }
  const remote = { backend: backends.of(registration), clock, signal };
  const isIncluded = createdBefore(live);
  const looksOnly = isAllDeleted(debt);
  const held: HeldLeftovers[] = [];
  for (const resource of await resourcesToDelete(remote, registration, spec)) {
    const place = { resource, namespace: spec.namespace };
    held.push(await deleteLeftovers(remote, place, { isIncluded, looksOnly }));
  }
  if (held.every(({ count }) => count === 0)) return { outcome: 'paid' };
  const finalizers = new Set(held.flatMap((one) => [...one.finalizers.keys()]));
  return { outcome: 'held', finalizers: [...finalizers].sort() };
}

/**
 * No client could create objects there through this process while there was a debt. An object younger than another
 * namespace of the same name was created directly, and belongs to that namespace.
 */
export function createdBefore(namespace: Namespace | undefined): IsIncluded {
  const sinceMs = Date.parse(namespace?.metadata.creationTimestamp ?? '');
  if (Number.isNaN(sinceMs)) return () => true;
  return ({ creationMs = 0 }, { skewMs }) => creationMs <= sinceMs + skewMs;
}
