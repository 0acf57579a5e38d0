import { type StatusError, serviceUnavailable } from '@tributary/apimachinery';
import type { Registration, RemoteRegistration } from '../api-services/registration.ts';
import { isSameServer } from '../availability/probed-server.ts';
import type { NamespaceDebt } from '../kinds/namespace-debt.ts';
import { groupVersionOf } from '../proxy/failures.ts';
import type { Registrations } from '../registrations/registrations.ts';

/** On a debt of which everything is deleted, and something waits for its finalizers. */
export const allDeletedAnnotation = 'aggregation.tributary.dev/all-deleted';

/** The debts that this process knows. */
export interface KnownDebts {
  put(debt: NamespaceDebt): void;
  remove(name: string, apiService: string): void;
  /** All of one APIService, whichever uid it had. */
  of(apiService: string): readonly NamespaceDebt[];
  counts(): Iterable<readonly [apiService: string, count: number]>;
  /** The reason why requests to that server are refused at present. */
  refusal(registration: RemoteRegistration): StatusError | undefined;
}

/** Paying is a matter of seconds. */
const RETRY_AFTER_SECONDS = 1;

export function knownDebts(registrations: Pick<Registrations, 'current'>): KnownDebts {
  const byService = new Map<string, Map<string, NamespaceDebt>>();
  const closing = ({ name, uid }: Registration): NamespaceDebt | undefined => {
    for (const debt of byService.get(name)?.values() ?? []) {
      if (debt.spec.apiServiceUid === uid && !isAllDeleted(debt)) return debt;
    }
    return undefined;
  };
  /** The versions of a group on one server mostly show the same objects. */
  const closingSibling = ({ name, group, remote }: RemoteRegistration) => {
    for (const other of byService.keys()) {
      const sibling = other === name ? undefined : registrations.current.byName(other);
      if (sibling?.group !== group || !isSameServer(sibling.remote, remote)) continue;
      const debt = closing(sibling);
      if (debt !== undefined) return debt;
    }
    return undefined;
  };
  return {
    put(debt) {
      const { apiService } = debt.spec;
      const debts = byService.get(apiService) ?? new Map<string, NamespaceDebt>();
      byService.set(apiService, debts.set(debt.metadata.name ?? '', debt));
    },
    remove(name, apiService) {
      const debts = byService.get(apiService);
      debts?.delete(name);
      if (debts?.size === 0) byService.delete(apiService);
    },
    of: (apiService) => [...(byService.get(apiService)?.values() ?? [])],
    counts: function* counts() {
      for (const [apiService, debts] of byService) yield [apiService, debts.size] as const;
    },
    refusal(registration) {
      if (byService.size === 0) return undefined;
      const debt = closing(registration) ?? closingSibling(registration);
      return debt && deletionInProgress(registration, debt);
    },
  };
}

export function isAllDeleted({ metadata }: NamespaceDebt): boolean {
  return metadata.annotations?.[allDeletedAnnotation] !== undefined;
}

function deletionInProgress(
  registration: Registration,
  { metadata, spec }: NamespaceDebt,
): StatusError {
  return serviceUnavailable(
    `${groupVersionOf(registration)} is paying namespace debts: what is left there of namespace ${spec.namespace}, which is gone, is deleted first (NamespaceDebt ${metadata.name})`,
    RETRY_AFTER_SECONDS,
  );
}

/** The debts are not known yet. */
export function debtsUnknown(registration: Registration): StatusError {
  return serviceUnavailable(
    `${groupVersionOf(registration)} is unavailable: the namespace debts were not read yet`,
    RETRY_AFTER_SECONDS,
  );
}
