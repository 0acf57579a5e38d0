import type { KubeObject } from '@tributary/apimachinery';
import type { ApiDefinition } from '../../definition/api.ts';
import { accountManifests, admissionRules } from './access.ts';
import { type BootstrapOptions, type Installation, installationOf } from './bootstrap-options.ts';
import { groupRoles } from './group-roles.ts';
import { sorted } from './manifest-list.ts';
import { registrations } from './registrations.ts';
import { workloadManifests } from './workload.ts';

/**
 * Every object that an administrator creates so that a cluster serves an API, in order of creation. The same API and
 * options always give the same objects. Throws a `BootstrapOptionError` for invalid names.
 */
export function bootstrapManifests(api: ApiDefinition, options: BootstrapOptions): KubeObject[] {
  const installation = apiInstallation(api, options);
  return sorted([
    ...workloadManifests({ installation, args: ['--storage=sqlite'] }),
    ...accountManifests(installation, admissionRules),
    ...groupRoles(installation, api),
    ...registrations(installation, api),
  ]);
}

/** The Service of an API's server, which its certificate must name. */
export function apiInstallation(api: ApiDefinition, options: BootstrapOptions): Installation {
  if (api.builtIn) throw new Error(`${api.group}: a group of Kubernetes' own is not installed`);
  const [label = ''] = api.group.split('.');
  return installationOf(api.group, options, {
    namespace: `${label}-system`,
    service: `${label}-apiserver`,
  });
}
