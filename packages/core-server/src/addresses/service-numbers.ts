/** The addresses and ports that a service has for itself alone. */
import type { Service } from '@tributary/api/core-v1';
import { canonicalIp } from '@tributary/apimachinery';
import { type AddressRange, addressIn } from './address-range.ts';

export const NO_CLUSTER_IP = 'None';

/** Addresses outside the range are nobody's business here: they come from another configuration. */
export function addressesOf(service: Service, range: AddressRange): readonly bigint[] {
  return clusterIpsOf(service).flatMap((text) => addressIn(range, text) ?? []);
}

/** In one form each, whatever range they are from. */
export function clusterIpsOf({ spec }: Service): readonly string[] {
  if (spec.type === 'ExternalName') return [];
  return (spec.clusterIPs ?? []).filter((ip) => ip !== NO_CLUSTER_IP).map(canonicalIp);
}

/**
 * Without repeats: one number may stand for a port of TCP and one of UDP. A name outside may have such numbers too, and
 * they mean nothing.
 */
export function nodePortsOf(service: Service): readonly number[] {
  const { type, ports = [], healthCheckNodePort = 0 } = service.spec;
  if (type === 'ExternalName') return [];
  const numbers = ports.map(({ nodePort = 0 }) => nodePort);
  if (needsHealthCheck(service)) numbers.push(healthCheckNodePort);
  return [...new Set(numbers)].filter((number) => number !== 0);
}

/** A load balancer must know which nodes have endpoints when it may only use those. */
export function needsHealthCheck({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}
