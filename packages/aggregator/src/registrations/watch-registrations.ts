import { isDeepStrictEqual } from 'node:util';
import type { APIService } from '@tributary/api/apiregistration-v1';
import type { Informer } from '@tributary/client';
import type { AnnotationProblem } from '../api-services/decode-annotations.ts';
import { decodeRegistration } from '../api-services/decode-registration.ts';
import type { Registration } from '../api-services/registration.ts';
import type { RegistrationListener, RegistrationSnapshot, Registrations } from './registrations.ts';

export interface FollowOptions {
  /** Called once for every change of an APIService with invalid annotations. */
  readonly onProblems?: (name: string, problems: readonly AnnotationProblem[]) => void;
}

export interface WatchedRegistrations extends Registrations {
  /** Resolves when `current` has all APIServices of the informer's first list. */
  whenSynced(): Promise<void>;
  readonly synced: boolean;
  /** Ends all notifications. */
  close(): void;
}

/** Watches the APIServices of an informer; a change of the status alone is ignored. */
export function watchRegistrations(
  informer: Informer<APIService>,
  { onProblems = () => {} }: FollowOptions = {},
): WatchedRegistrations {
  const known = new Map<string, Registration>();
  const listeners = new Set<RegistrationListener>();
  let snapshot: RegistrationSnapshot | undefined;

  const take = (apiService: APIService) => {
    const { registration, problems } = decodeRegistration(apiService);
    const { name, uid } = registration;
    const before = known.get(name);
    if (before !== undefined && isSame(before, registration)) return;
    if (before !== undefined && before.uid !== uid) drop(name, before.uid);
    known.set(name, registration);
    snapshot = undefined;
    if (problems.length > 0) onProblems(name, problems);
    const same = before?.uid === uid ? before : undefined;
    for (const listener of [...listeners]) listener.changed(registration, same);
  };
  const drop = (name: string, uid: string) => {
    const before = known.get(name);
    // A late event of a replaced object: nothing is removed.
    if (before === undefined || before.uid !== uid) return;
    known.delete(name);
    snapshot = undefined;
    for (const listener of [...listeners]) listener.removed(before);
  };

  const subscription = informer.addHandler({
    onAdd: take,
    onUpdate: (_old, apiService) => take(apiService),
    onDelete: ({ metadata }) => drop(metadata.name ?? '', metadata.uid ?? ''),
  });
  return {
    // Made by the first read, so a hundred changes in a row make one snapshot.
    get current() {
      snapshot ??= snapshotOf(known.values());
      return snapshot;
    },
    onChange: (listener) => {
      listeners.add(listener);
      for (const registration of [...known.values()]) listener.changed(registration, undefined);
      return () => listeners.delete(listener);
    },
    get synced() {
      return subscription.synced;
    },
    whenSynced: () => subscription.whenSynced(),
    close: () => {
      subscription.close();
      listeners.clear();
    },
  };
}

export function snapshotOf(registrations: Iterable<Registration>): RegistrationSnapshot {
  const all = [...registrations];
  const byName = new Map(all.map((registration) => [registration.name, registration]));
  const byGroup = new Map<string, Map<string, Registration>>();
  for (const registration of all) {
    const versions = byGroup.get(registration.group) ?? new Map<string, Registration>();
    byGroup.set(registration.group, versions.set(registration.version, registration));
  }
  return {
    all,
    byName: (name) => byName.get(name),
    byGroupVersion: (group, version) => byGroup.get(group)?.get(version),
  };
}

function isSame(a: Registration, b: Registration): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b));
}

/** A comparison of objects does not see into a URL. */
function comparable({ remote, ...rest }: Registration): object {
  return { ...rest, remote: remote && { ...remote, url: remote.url?.href } };
}
