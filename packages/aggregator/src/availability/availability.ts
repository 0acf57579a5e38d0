import type { OnEvidence } from '@tributary/proxy';
import type { RemoteRegistration } from '../api-services/registration.ts';

/** What this process knows of a registration, which may be newer than the condition of its APIService. */
export interface AvailabilityState {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** Since when the status is what it is, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** When its server last answered a probe or a request; undefined: not since this process began. */
  readonly lastSuccessMs: number | undefined;
}

/** Who is available. The proxy asks before it sends anything; the condition of the APIService follows. */
export interface Availability {
  /** By the name of the registration; undefined when it is not known, or nothing was found out yet. */
  stateOf(name: string): AvailabilityState | undefined;
  /** Why nothing is sent to the server at present; undefined: it is tried. */
  refusal(name: string): AvailabilityState | undefined;
  /** Told of every change of status, by name. */
  onChange(listener: (name: string) => void): () => void;
  /** What traffic tells: success ends doubts, failures begin them. */
  readonly onEvidence: OnEvidence;
  /** A kept connection to the server ended: it may have gone. */
  onConnectionLost(registration: Pick<RemoteRegistration, 'name' | 'uid'>): void;
}
