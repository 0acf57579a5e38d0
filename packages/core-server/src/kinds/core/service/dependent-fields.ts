/** Fields that depend on each other, of which clients may send only some. */
import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import {
  getsNodePorts,
  hasClusterIp,
  isExternallyAccessible,
  mayHaveNodePorts,
  needsHealthCheck,
  sameList,
} from './service-facts.ts';

/** `clusterIP` is the first of `clusterIPs`; old clients send only `clusterIP`. */
export function syncClusterIps(service: Service, live: Service | undefined): void {
  if (live === undefined) {
    listClusterIp(service);
    return;
  }
  const { spec } = service;
  const before = live.spec;
  const isSame = (spec.clusterIP ?? '') === (before.clusterIP ?? '');
  if (isSame) {
    if ((spec.clusterIPs ?? []).length === 0 && before.clusterIPs) {
      spec.clusterIPs = [...before.clusterIPs];
    }
    return;
  }
  if (!sameList(before.clusterIPs, spec.clusterIPs)) return;
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP];
  else delete spec.clusterIPs;
}

export function listClusterIp({ spec }: Service): void {
  if (spec.clusterIP && (spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP];
}

/** An update without allocated values, such as an apply of the manifest, keeps them. */
export function keepAllocated(next: Service, live: Service): void {
  const { spec } = next;
  const before = live.spec;
  if (hasClusterIp(next) && hasClusterIp(live)) {
    if (!spec.clusterIP && before.clusterIP) spec.clusterIP = before.clusterIP;
    if ((spec.clusterIPs ?? []).length === 0 && before.clusterIPs) {
      spec.clusterIPs = [...before.clusterIPs];
    }
  }
  if (getsNodePorts(next) && getsNodePorts(live)) keepNodePorts(spec, before);
  if (needsHealthCheck(next) && needsHealthCheck(live) && before.healthCheckNodePort) {
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  }
}

function keepNodePorts(spec: ServiceSpec, live: ServiceSpec): void {
  const now = nodePortSet(spec);
  const used = new Set([...nodePortSet(live)].filter((port) => now.has(port)));
  const byName = new Map((live.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of spec.ports ?? []) {
    const before = byName.get(port.name ?? '') ?? 0;
    if (!port.nodePort && before !== 0 && !used.has(before)) port.nodePort = before;
  }
}

function nodePortSet({ ports = [] }: ServiceSpec): Set<number> {
  return new Set(ports.flatMap(({ nodePort }) => (nodePort ? [nodePort] : [])));
}

/**
 * A change of the type drops fields that the new type does not have, unless the client changed them too: validation
 * reports those.
 */
export function dropUnusedFields(next: Service, live: Service): void {
  const { spec } = next;
  const before = live.spec;
  if (hasClusterIp(live) && !hasClusterIp(next)) dropAddresses(spec, before);
  if (mayHaveNodePorts(live) && !mayHaveNodePorts(next)) {
    const known = nodePortSet(before);
    if ([...nodePortSet(spec)].every((port) => known.has(port))) {
      for (const port of spec.ports ?? []) delete port.nodePort;
    }
  }
  if (needsHealthCheck(live) && !needsHealthCheck(next))
    dropSame(spec, before, 'healthCheckNodePort');
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropSame(spec, before, 'allocateLoadBalancerNodePorts');
    dropSame(spec, before, 'loadBalancerClass');
  }
  if (isExternallyAccessible(live) && !isExternallyAccessible(next)) {
    dropSame(spec, before, 'externalTrafficPolicy');
  }
  if (spec.type !== 'LoadBalancer') next.status = { ...next.status, loadBalancer: {} };
}

function dropAddresses(spec: ServiceSpec, before: ServiceSpec): void {
  const areSame =
    (spec.clusterIP ?? '') === (before.clusterIP ?? '') &&
    sameList(spec.clusterIPs, before.clusterIPs);
  if (areSame) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameList(spec.ipFamilies, before.ipFamilies)) delete spec.ipFamilies;
  dropSame(spec, before, 'ipFamilyPolicy');
}

function dropSame(spec: ServiceSpec, before: ServiceSpec, field: keyof ServiceSpec): void {
  if (spec[field] === before[field]) delete spec[field];
}
