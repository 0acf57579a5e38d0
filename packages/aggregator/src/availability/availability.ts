import type { OnEvidence } from '@tributary/proxy';
import type { RemoteRegistration } from '../api-services/registration.ts';

/** The state of a registration in this process, which may be newer than the condition of its APIService. */
export interface AvailabilityState {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** The time of the last status change, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** The time of the backend's last response to a probe or request; undefined: none since this process started. */
  readonly lastSuccessMs: number | undefined;
}

/** The availability of backends. The proxy checks it before each request; the APIService's condition follows it. */
export interface Availability {
  /** By the name of the registration; undefined when it is unknown or has no state yet. */
  stateOf(name: string): AvailabilityState | undefined;
  /** The reason why requests to the backend fail at once; undefined: requests are sent. */
  refusal(name: string): AvailabilityState | undefined;
  /** Notifies of every change of status, by name. */
  onChange(listener: (name: string) => void): () => void;
  /** Evidence from proxied requests: a success ends a doubt, a failure begins one. */
  readonly onEvidence: OnEvidence;
  /** An idle connection to the backend ended, so the backend may have stopped. */
  onConnectionLost(registration: Pick<RemoteRegistration, 'name' | 'uid'>): void;
}
