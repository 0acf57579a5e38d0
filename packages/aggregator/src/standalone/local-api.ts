import type { Clock } from '@tributary/client';
import type { ApiDefinition } from '@tributary/server';
import { defineApi } from '@tributary/server/definition';
import { REGISTRATION_GROUP } from '../api-services/resources.ts';
import { apiServiceKind } from '../kinds/api-service-kind.ts';
import type { ClusterDiscovery } from './cluster-discovery.ts';

/** The one group that is served from a store of our own. */
export function localApi(
  discovery: () => Pick<ClusterDiscovery, 'versions'>,
  clock: Clock,
): ApiDefinition {
  const serves = (group: string, version: string) =>
    discovery().versions.some((one) => one.group === group && one.version === version);
  const isBuiltIn = (group: string, version: string) =>
    isNeverGivenAway(group) || (isKubernetes(group) && serves(group, version));
  const kind = apiServiceKind({ isBuiltIn, nowMs: () => clock.nowMs() });
  return defineApi({ group: REGISTRATION_GROUP, builtIn: true, resources: [kind] });
}

function isNeverGivenAway(group: string): boolean {
  return group === '' || group === REGISTRATION_GROUP;
}

/** An APIService here may replace another group of the cluster, to try a server: only clients of this aggregator see it. */
export function isKubernetes(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}
