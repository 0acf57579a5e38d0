/** The addresses and ports that only one Service may have. */
import type { Service } from '@tributary/api/core-v1';
import { canonicalIp } from '@tributary/apimachinery';
import { type AddressRange, allocatableAddress } from './address-range.ts';

export const NO_CLUSTER_IP = 'None';

/** Addresses outside the range are ignored: they come from an earlier configuration. */
export function addressesOf(service: Service, range: AddressRange): readonly bigint[] {
  return clusterIpsOf(service).flatMap((text) => allocatableAddress(range, text) ?? []);
}

/** In canonical form, from any range. */
export function clusterIpsOf({ spec }: Service): readonly string[] {
  if (spec.type === 'ExternalName') return [];
  return (spec.clusterIPs ?? []).filter((ip) => ip !== NO_CLUSTER_IP).map(canonicalIp);
}

/** Without repeats: a number may be a TCP port and a UDP port. The ports of an ExternalName Service have no meaning. */
export function nodePortsOf(service: Service): readonly number[] {
  const { type, ports = [], healthCheckNodePort = 0 } = service.spec;
  if (type === 'ExternalName') return [];
  const numbers = ports.map(({ nodePort = 0 }) => nodePort);
  if (needsHealthCheck(service)) numbers.push(healthCheckNodePort);
  return [...new Set(numbers)].filter((number) => number !== 0);
}

/** A load balancer that uses only nodes with local endpoints needs a health check on each node. */
export function needsHealthCheck({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}
