import { formatGroupVersion, formatTime, parseGroupVersion } from '@tributary/apimachinery';
import type { Client, Clock } from '@tributary/client';
import type { UnreachableGroup } from '@tributary/client/controller';
import { isWriteConflict } from '@tributary/client/controller';
import type { Logger } from '@tributary/server';
import { isRemote } from '../api-services/registration.ts';
import { namespaceDebts } from '../api-services/resources.ts';
import {
  ALL_RESOURCES,
  type DebtResource,
  type NamespaceDebt,
  type NamespaceDebtSpec,
  namespaceDebtName,
} from '../kinds/namespace-debt.ts';
import type { Registrations } from '../registrations/registrations.ts';
import type { KnownDebts } from './known-debts.ts';

export interface RecordOptions {
  readonly client: Pick<Client, 'resource'>;
  readonly registrations: Pick<Registrations, 'current'>;
  readonly ledger: KnownDebts;
  /** The deletion of a namespace with objects on a server that does not respond. */
  readonly mode: 'debt' | 'wait';
  /** How long the namespace waits for it before that. */
  readonly graceMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** The debts of an APIService are more. */
  readonly onRecorded: (apiService: string) => void;
}

export interface DeletedNamespace {
  readonly name: string;
  readonly uid: string;
}

/**
 * Records the objects of a namespace on servers that do not respond; `owed` when all of that is in the store. From then
 * on requests to these servers are refused in this process.
 */
export async function recordDebts(
  options: RecordOptions,
  namespace: DeletedNamespace,
  unreachable: readonly UnreachableGroup[],
  signal: AbortSignal,
): Promise<'wait' | 'owed'> {
  const specs = debtsOf(options, namespace, unreachable);
  if (specs === undefined) return 'wait';
  const { ledger, mode, graceMs, clock } = options;
  const isWritten = (wanted: NamespaceDebtSpec) =>
    ledger.of(wanted.apiService).some(({ metadata, spec }) => metadata.uid && isSame(spec, wanted));
  // Debts written before this process started count in every mode.
  const missing = specs.filter((spec) => !isWritten(spec));
  if (missing.length === 0) return 'owed';
  const nowMs = clock.nowMs();
  if (mode === 'wait' || unreachable.some(({ sinceMs }) => nowMs - sinceMs < graceMs))
    return 'wait';
  for (const spec of missing) await write(options, spec, signal);
  return 'owed';
}

/** Undefined when another server now serves one of them: the next attempt finds that. */
function debtsOf(
  { registrations, clock }: RecordOptions,
  { name: namespace, uid: namespaceUid }: DeletedNamespace,
  unreachable: readonly UnreachableGroup[],
): readonly NamespaceDebtSpec[] | undefined {
  const specs: NamespaceDebtSpec[] = [];
  const since = formatTime(clock.nowMs());
  for (const { groupVersion, resources } of unreachable) {
    const { group = '', version = '' } = parseGroupVersion(groupVersion) ?? {};
    const registration = registrations.current.byGroupVersion(group, version);
    if (registration === undefined || !isRemote(registration)) return undefined;
    const { name: apiService, uid: apiServiceUid } = registration;
    const known: DebtResource[] = resources.map(({ plural }) => ({
      group,
      version,
      resource: plural,
    }));
    const onRecorded = known.length > 0 ? known : [{ group, version, resource: ALL_RESOURCES }];
    specs.push({
      namespace,
      namespaceUid,
      apiService,
      apiServiceUid,
      resources: onRecorded,
      since,
    });
  }
  return specs;
}

function isSame(a: NamespaceDebtSpec, b: NamespaceDebtSpec): boolean {
  return a.namespaceUid === b.namespaceUid && a.apiServiceUid === b.apiServiceUid;
}

async function write(
  options: RecordOptions,
  spec: NamespaceDebtSpec,
  signal: AbortSignal,
): Promise<void> {
  const { ledger, log, onRecorded } = options;
  const { apiService, namespace } = spec;
  const draft: NamespaceDebt = {
    apiVersion: formatGroupVersion(namespaceDebts),
    kind: 'NamespaceDebt',
    metadata: { name: namespaceDebtName(spec) },
    spec,
    status: {},
  };
  // First of all: the server may be back at any time, and must not be reached then.
  ledger.put(draft);
  try {
    ledger.put(await createOrGet(options, draft, signal));
  } catch (error) {
    // Whether it was written is unknown at worst. Then its informer tells.
    ledger.remove(namespaceDebtName(spec), apiService);
    throw error;
  }
  onRecorded(apiService);
  log.info('Deferred deletion of namespace content', {
    namespace,
    apiService,
    debt: namespaceDebtName(spec),
  });
}

async function createOrGet(
  { client }: RecordOptions,
  draft: NamespaceDebt,
  signal: AbortSignal,
): Promise<NamespaceDebt> {
  const all = client.resource<NamespaceDebt>(namespaceDebts);
  try {
    return await all.create(draft, { signal });
  } catch (error) {
    if (!isWriteConflict(error)) throw error;
    const live = await all.get(namespaceDebtName(draft.spec), { signal });
    if (isSame(live.spec, draft.spec)) return live;
    // It is about to be forgiven, and this one must not be forgiven with it.
    throw new Error(`there is still a debt of an earlier APIService ${draft.spec.apiService}`, {
      cause: error,
    });
  }
}
