import { formatGroupVersion } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import type { RemoteGroups } from '@tributary/client/controller';
import type { Backends } from '@tributary/proxy';
import { isRemote, type RemoteRegistration } from '../api-services/registration.ts';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';
import type { Availability } from '../availability/availability.ts';
import type { Registrations } from '../registrations/registrations.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { type RecordOptions, recordDebts } from './record-debts.ts';

export interface RemoteGroupsOptions extends RecordOptions {
  readonly registrations: Registrations;
  readonly availability: Pick<Availability, 'stateOf' | 'refusal' | 'onChange'>;
  readonly backends: Pick<Backends, 'of'>;
  readonly clock: Clock;
}

/** The rest is for the next attempt: the namespace controller has other namespaces, too. */
const ATTEMPT_MS_MAX = 10_000;

/** The namespace controller's view of other servers. Its requests pass the gate, and only delete. */
export function remoteGroups(options: RemoteGroupsOptions): RemoteGroups {
  const { registrations, availability, backends, clock } = options;
  return {
    all() {
      const groups = new Map<string, string | undefined>();
      for (const registration of registrations.current.all) {
        if (!isAsked(registration)) continue;
        const state = availability.stateOf(registration.name);
        const reason = state?.status === 'False' ? `${state.reason}: ${state.message}` : undefined;
        groups.set(formatGroupVersion(registration), reason);
      }
      return groups;
    },
    async deleteContent(resource, { namespace, signal }) {
      const registration = registrations.current.byGroupVersion(resource.group, resource.version);
      if (registration === undefined || !isAsked(registration)) {
        throw new Error(`${formatGroupVersion(resource)} is served by nobody else any more`);
      }
      if (!resource.canList) return { count: 0, finalizers: new Map() };
      const stop = new AbortController();
      const cancelTimer = clock.schedule(ATTEMPT_MS_MAX, () => {
        stop.abort(new Error(`${resource.plural}: not done within ${ATTEMPT_MS_MAX / 1000} s`));
      });
      const abortIfUnavailable = () => {
        const state = availability.refusal(registration.name);
        if (state !== undefined) stop.abort(new Error(`${state.reason}: ${state.message}`));
      };
      // A waiting caller aborts when there is nothing to wait for.
      const unsubscribe = availability.onChange(abortIfUnavailable);
      abortIfUnavailable();
      const client = {
        backend: backends.of(registration),
        clock,
        signal: AbortSignal.any([signal, stop.signal]),
      };
      let found = 0;
      const onPage = ({ items }: { readonly items: readonly unknown[] }) => {
        found = items.length;
      };
      try {
        const held = await deleteLeftovers(client, { resource, namespace }, { onPage });
        return { ...held, isUnderWay: held.going > 0 };
      } catch (error) {
        // It works, and there is much of it.
        const isUnderWay = stop.signal.aborted && !signal.aborted && found > 0;
        if (isUnderWay) return { count: found, finalizers: new Map(), isUnderWay };
        throw error;
      } finally {
        cancelTimer();
        unsubscribe();
      }
    },
    deferDeletion: (namespace, unreachable, signal) =>
      recordDebts(options, namespace, unreachable, signal),
    follow: (listener) => {
      const unsubscribe = [
        availability.onChange(listener),
        registrations.onChange({ changed: listener, removed: listener }),
      ];
      return () => {
        for (const one of unsubscribe) one();
      };
    },
  };
}

/** Discovery lists what others serve, with these exceptions. */
function isAsked(registration: Parameters<typeof isRemote>[0]): registration is RemoteRegistration {
  const { group } = registration;
  return isRemote(registration) && group !== '' && group !== REGISTRATION_GROUP;
}
