import type { Registration } from '../api-services/registration.ts';

/** All registrations at one moment: a new one for every change, so that a request sees one state from end to end. */
export interface RegistrationSnapshot {
  readonly all: readonly Registration[];
  byName(name: string): Registration | undefined;
  /** Without a key to be put together: every request asks. */
  byGroupVersion(group: string, version: string): Registration | undefined;
}

/** The registrations that are followed. */
export interface Registrations {
  readonly current: RegistrationSnapshot;
  /** Told of every change, after `current` has it; of what is there already when it begins to listen. */
  onChange(listener: RegistrationListener): () => void;
}

export interface RegistrationListener {
  /** Also when only its priorities changed. */
  changed(registration: Registration, before: Registration | undefined): void;
  removed(registration: Registration): void;
}
