import type { APIService } from '@tributary/api/apiregistration-v1';
import { formatTime } from '@tributary/apimachinery';
import type { Informer } from '@tributary/client';
import { ignoreNotFound, isNotFound } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { isRemote } from '../api-services/registration.ts';
import { apiServices, namespaceDebts } from '../api-services/resources.ts';
import type { Availability } from '../availability/availability.ts';
import type { NamespaceDebt } from '../kinds/namespace-debt.ts';
import type { Registrations } from '../registrations/registrations.ts';
import { type DebtReason, writeDebtEvent } from './debt-events.ts';
import { type DeleteContentOptions, deleteContent } from './delete-content.ts';
import { allDeletedAnnotation, isAllDeleted, type KnownDebts } from './known-debts.ts';

export interface ReconcileOptions extends DeleteContentOptions {
  readonly debts: Pick<Informer<NamespaceDebt>, 'store'>;
  readonly registrations: Pick<Registrations, 'current'>;
  readonly availability: Pick<Availability, 'stateOf'>;
  readonly ledger: KnownDebts;
  readonly log: Logger;
}

/** A namespace that is still there goes at once; finalizers take as long as they take. */
const SOON_MS = 500;
const FINALIZERS_MS = 5_000;
const MESSAGE_CHARACTERS_MAX = 1_024;

/** Pays all debts of an APIService that can be paid now; tells when it is worth another try. */
export async function reconcileDebts(
  options: ReconcileOptions,
  apiService: string,
): Promise<number | undefined> {
  let againMs: number | undefined;
  for (const debt of options.ledger.of(apiService)) {
    const nextMs = await reconcileDebt(options, debt);
    if (nextMs !== undefined) againMs = Math.min(againMs ?? nextMs, nextMs);
  }
  return againMs;
}

async function reconcileDebt(options: ReconcileOptions, debt: NamespaceDebt) {
  const { registrations, availability, ledger, signal } = options;
  const { apiService, apiServiceUid } = debt.spec;
  if (debt.metadata.uid === undefined) return undefined; // the write that creates it is reported by the watch
  if (!(await isStillOwed(options, debt))) {
    ledger.remove(debt.metadata.name ?? '', apiService);
    return undefined;
  }
  const registration = registrations.current.byName(apiService);
  if (registration?.uid !== apiServiceUid) return forgiveIfDeleted(options, debt);
  // A server that is unavailable is reconciled when its availability changes.
  if (!isRemote(registration) || availability.stateOf(apiService)?.status !== 'True') {
    return undefined;
  }
  try {
    const result = await deleteContent(options, registration, debt);
    switch (result.outcome) {
      case 'early':
        return SOON_MS;
      case 'held':
        return hold(options, debt, result.finalizers);
      case 'paid':
        return end(options, debt, 'NamespaceDebtPaid', 'what it left here is deleted');
      case 'void':
        return end(options, debt, 'NamespaceDebtForgiven', 'it exists, and is not deleted');
      default:
        return result satisfies never;
    }
  } catch (error) {
    signal.throwIfAborted();
    await updateStatus(options, debt, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** A debt that was written here, and is not in the watch yet, may have been deleted by another client. */
async function isStillOwed(
  { client, debts, signal }: ReconcileOptions,
  { metadata }: NamespaceDebt,
) {
  const { name = '', uid } = metadata;
  if (debts.store.get(name) !== undefined) return true;
  const all = client.resource<NamespaceDebt>(namespaceDebts);
  const live = await ignoreNotFound(all.get(name, { signal }));
  return live?.metadata.uid === uid;
}

/** Asked for in the store: what is followed may be late. */
async function forgiveIfDeleted(options: ReconcileOptions, debt: NamespaceDebt) {
  const { client, signal } = options;
  const { apiService, apiServiceUid } = debt.spec;
  const all = client.resource<APIService>(apiServices);
  const live = await ignoreNotFound(all.get(apiService, { signal }));
  if (live?.metadata.uid === apiServiceUid) return SOON_MS;
  const why = live === undefined ? 'is deleted' : 'is another one by now';
  return end(options, debt, 'NamespaceDebtForgiven', `APIService ${apiService} ${why}`);
}

/** Its controllers can only work when they reach the server: from now on all requests pass. */
async function hold(options: ReconcileOptions, debt: NamespaceDebt, finalizers: readonly string[]) {
  const { client, signal } = options;
  if (!isAllDeleted(debt)) {
    const body = { metadata: { annotations: { [allDeletedAnnotation]: 'true' } } };
    const all = client.resource<NamespaceDebt>(namespaceDebts);
    await all.patch(debt.metadata.name ?? '', { kind: 'merge', body }, { signal });
  }
  const names = finalizers.length === 0 ? '' : ` and waits for ${finalizers.join(', ')}`;
  await updateStatus(options, debt, `everything is deleted${names}`);
  return FINALIZERS_MS;
}

/** The gate opens when the deletion comes back from the store. */
async function end(
  options: ReconcileOptions,
  { metadata, spec }: NamespaceDebt,
  reason: DebtReason,
  why: string,
): Promise<undefined> {
  const { client, clock, log, signal } = options;
  const { name = '', uid } = metadata;
  const all = client.resource<NamespaceDebt>(namespaceDebts);
  try {
    await all.delete(name, { ...(uid && { preconditions: { uid } }), signal });
  } catch (error) {
    if (isNotFound(error)) return; // another process deleted it, and reports it
    throw error;
  }
  const message = `Namespace ${spec.namespace} (${spec.namespaceUid}): ${why}`;
  log.info('Ended deferred deletion of namespace content', {
    debt: name,
    apiService: spec.apiService,
    reason,
    why,
  });
  try {
    await writeDebtEvent(client, spec, { reason, message, nowMs: clock.nowMs() }, signal);
  } catch (error) {
    // The debt no longer exists: its event is not written again.
    if (!signal.aborted) log.error(error, 'Writing event failed', { message });
  }
}

async function updateStatus(
  { client, clock, signal }: ReconcileOptions,
  { metadata, status }: NamespaceDebt,
  words: string,
): Promise<void> {
  const message = words.slice(0, MESSAGE_CHARACTERS_MAX);
  if (status.message === message) return;
  const body = { status: { message, lastAttempt: formatTime(clock.nowMs()) } };
  const all = client.resource<NamespaceDebt>(namespaceDebts);
  const patch = { kind: 'merge', body } as const;
  await ignoreNotFound(all.patch(metadata.name ?? '', patch, { subresource: 'status', signal }));
}
