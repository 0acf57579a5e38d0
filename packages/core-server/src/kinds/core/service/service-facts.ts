/** Properties of a service that follow from several fields. */

import type { Service } from '@tributary/api/core-v1';
import { NO_CLUSTER_IP, needsHealthCheck } from '../../../addresses/service-numbers.ts';

export { NO_CLUSTER_IP, needsHealthCheck };

export type IpFamilyPolicy = 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';

export const hasClusterIp = ({ spec }: Service): boolean => spec.type !== 'ExternalName';

export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === NO_CLUSTER_IP;
}

/** From outside of the cluster. */
export function isExternallyAccessible({ spec }: Service): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true;
  return spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0;
}

/** Types whose ports can have node ports. */
export function mayHaveNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** Ports without a requested node port get one. */
export function getsNodePorts({ spec }: Service): boolean {
  if (spec.type === 'NodePort') return true;
  return spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false;
}

export function sameList(
  a: readonly string[] | undefined = [],
  b: readonly string[] | undefined = [],
): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
