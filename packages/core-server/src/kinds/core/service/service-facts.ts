/** What the fields of a service mean together. */

import type { Service } from '@tributary/api/core-v1';
import { NO_CLUSTER_IP, needsHealthCheck } from '../../../addresses/service-numbers.ts';

export { NO_CLUSTER_IP, needsHealthCheck };

export type IpFamilyPolicy = 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';

export const hasClusterIp = ({ spec }: Service): boolean => spec.type !== 'ExternalName';

export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === NO_CLUSTER_IP;
}

/** From outside the cluster. */
export function isExternallyAccessible({ spec }: Service): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true;
  return spec.type === 'ClusterIP' && (spec.externalIPs ?? []).length > 0;
}

/** Of those types each port may have one on every node. */
export function mayHaveNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** Whether ports are given one that did not ask for it. */
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
