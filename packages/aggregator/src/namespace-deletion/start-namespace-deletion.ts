import type { StatusError } from '@tributary/apimachinery';
import type { Informer } from '@tributary/client';
import type { RemoteGroups } from '@tributary/client/controller';
import { keyedController } from '@tributary/client/controller';
import type { MetricsRegistry } from '@tributary/server/operations';
import type { RemoteRegistration } from '../api-services/registration.ts';
import type { NamespaceDebt } from '../kinds/namespace-debt.ts';
import type { WatchedRegistrations } from '../registrations/watch-registrations.ts';
import { registerDebtMetrics } from './debt-metrics.ts';
import { debtsUnknown, knownDebts } from './known-debts.ts';
import { type ReconcileOptions, reconcileDebts } from './reconcile-debts.ts';
import type { RecordOptions } from './record-debts.ts';
import { type RemoteGroupsOptions, remoteGroups } from './remote-groups.ts';

export interface NamespaceDeletionOptions
  extends Pick<RemoteGroupsOptions, 'availability' | 'backends' | 'mode' | 'graceMs'>,
    Pick<ReconcileOptions, 'client' | 'clock' | 'log'> {
  /** Others may share it. */
  readonly debts: Informer<NamespaceDebt>;
  readonly registrations: Pick<WatchedRegistrations, 'current' | 'onChange' | 'synced'>;
}

export interface RunningNamespaceDeletion extends AsyncDisposable {
  /** The reason why requests to a server are refused at present; undefined without a debt. */
  gate(registration: RemoteRegistration): StatusError | undefined;
  /** For the controller of namespaces. */
  readonly remoteGroups: RemoteGroups;
  /** Resolves when all debts are known. Until then the gate is closed for all requests. Waits for the store alone. */
  whenReady(): Promise<void>;
  registerMetrics(registry: MetricsRegistry): void;
  /** When nothing of it is under way any more. Twice is harmless. */
  close(): Promise<void>;
}

/** Servers with debts that are paid at the same time: one that is slow must not make the others wait. */
const SERVERS_AT_ONCE = 16;
/** A server that is back is looked at when that is known; this is for payments that fail while it answers. */
const RETRY_MS_MAX = 10_000;
const EARLY_MS = 100;

/** Keeps others from servers that have something of namespaces that are gone, and deletes it there. */
export function startNamespaceDeletion(
  options: NamespaceDeletionOptions,
): RunningNamespaceDeletion {
  const { debts, registrations, availability, clock, log } = options;
  const ledger = knownDebts(registrations);
  const stop = new AbortController();
  const reconcileOptions: ReconcileOptions = { ...options, ledger, signal: stop.signal };
  const { queue, done } = keyedController(
    {
      name: 'namespace-debts',
      concurrency: SERVERS_AT_ONCE,
      retryMsMax: RETRY_MS_MAX,
      reconcile: async (apiService) => {
        // An APIService that is not known yet is not one that is gone.
        const isEarly = !registrations.synced;
        const againMs = isEarly ? EARLY_MS : await reconcileDebts(reconcileOptions, apiService);
        if (againMs !== undefined) queue.addAfter(apiService, againMs);
      },
    },
    { clock, log, signal: stop.signal },
  );
  const put = (debt: NamespaceDebt) => {
    ledger.put(debt);
    queue.add(debt.spec.apiService);
  };
  const subscription = debts.addHandler({
    onAdd: put,
    onUpdate: (_old, debt) => put(debt),
    onDelete: ({ metadata, spec }) => ledger.remove(metadata.name ?? '', spec.apiService),
  });
  const retry = (name: string) => {
    if (ledger.of(name).length > 0) queue.add(name);
  };
  const unsubscribe = [
    availability.onChange(retry),
    registrations.onChange({
      changed: ({ name }) => retry(name),
      removed: ({ name }) => retry(name),
    }),
  ];
  const recordOptions: RecordOptions = {
    ...options,
    ledger,
    onRecorded: (name) => queue.add(name),
  };
  const close = async (): Promise<void> => {
    for (const leave of unsubscribe) leave();
    subscription.close();
    stop.abort(new Error('debts are no longer looked after'));
    await done;
  };
  return {
    gate(registration) {
      if (!subscription.synced) return debtsUnknown(registration);
      return ledger.refusal(registration);
    },
    remoteGroups: remoteGroups({ ...recordOptions, ...options }),
    whenReady: () => subscription.whenSynced(),
    registerMetrics: (registry) => registerDebtMetrics(registry, ledger.counts),
    close,
    [Symbol.asyncDispose]: close,
  };
}
