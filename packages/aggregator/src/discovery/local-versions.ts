import { stringifyJson } from '@tributary/apimachinery';
import type { ApiDefinition } from '@tributary/server';
import { resourcesDiscovery } from '@tributary/server/discovery';
import type { Priority } from '../api-services/local-priorities.ts';
import type { Registration } from '../api-services/registration.ts';
import type { RegistrationSnapshot } from '../registrations/registrations.ts';
import type { OfferedVersion } from './merge-groups.ts';

export interface LocalVersionsOptions {
  readonly registrations: { readonly current: RegistrationSnapshot };
  /** The APIs that this process serves itself. */
  readonly localApis: () => readonly ApiDefinition[];
  /** For group versions without an APIService. */
  readonly localPriorities: (group: string, version: string) => Priority | undefined;
}

/** Upstream's default. */
const DEFAULT_PRIORITY: Priority = { groupPriorityMinimum: 1000, versionPriority: 15 };

/** Local group versions, and APIServices registered as local. */
export function localVersions(options: LocalVersionsOptions): () => OfferedVersion[] {
  /** Definitions are immutable; a changed one is another object. */
  const made = new WeakMap<ApiDefinition, readonly (readonly [version: string, json: string])[]>();

  const versionsOf = (api: ApiDefinition) => {
    const known = made.get(api);
    if (known !== undefined) return known;
    const versions = api.versions.map(
      (version) => [version, stringifyJson(resourcesDiscovery(api, version))] as const,
    );
    made.set(api, versions);
    return versions;
  };

  const served = (snapshot: RegistrationSnapshot): OfferedVersion[] =>
    options.localApis().flatMap((api) =>
      versionsOf(api).map(([version, resources]) => {
        const { group } = api;
        const registration = snapshot.byGroupVersion(group, version);
        const priority =
          registration ?? options.localPriorities(group, version) ?? DEFAULT_PRIORITY;
        return { group, version, source: 'built-in', priority, resources, freshness: 'Current' };
      }),
    );

  return () => {
    const snapshot = options.registrations.current;
    // Served ones win over these, which are only in the legacy list, as upstream.
    const named = snapshot.all.filter(({ remote }) => remote === undefined).map(registered);
    return [...served(snapshot), ...named];
  };
}

function registered(registration: Registration): OfferedVersion {
  const { group, version } = registration;
  return {
    group,
    version,
    source: 'custom',
    priority: registration,
    resources: undefined,
    freshness: 'Current',
  };
}
