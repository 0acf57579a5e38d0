import type { Registration } from '../api-services/registration.ts';

/** An immutable snapshot of all registrations, so that a request sees one state throughout. */
export interface RegistrationSnapshot {
  readonly all: readonly Registration[];
  byName(name: string): Registration | undefined;
  /** Takes two strings instead of a key, because every request calls it. */
  byGroupVersion(group: string, version: string): Registration | undefined;
}

/** The current registrations. */
export interface Registrations {
  readonly current: RegistrationSnapshot;
  /** Notifies of every change, after `current` has it, and of the registrations present at the call. */
  onChange(listener: RegistrationListener): () => void;
}

export interface RegistrationListener {
  /** Also called when only the priorities changed. */
  changed(registration: Registration, before: Registration | undefined): void;
  removed(registration: Registration): void;
}
