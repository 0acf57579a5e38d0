/** Chooses the IP families of a service among those of the cluster. */

import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  type IpFamily,
  invalid,
  parseIp,
  root,
} from '@tributary/apimachinery';
import { hasClusterIp, NO_CLUSTER_IP, sameList } from './service-facts.ts';
import { validateClusterIps } from './validate-cluster-ips.ts';

const POLICY = root('spec', 'ipFamilyPolicy');

/** Sets `ipFamilyPolicy` and `ipFamilies`; throws for families that the cluster does not have. */
export function setIpFamilies(
  service: Service,
  live: Service | undefined,
  clusterFamilies: readonly IpFamily[],
): void {
  const { spec } = service;
  if (!hasClusterIp(service)) return;
  if (live !== undefined && keepsDualStack(service, live)) return;
  spec.ipFamilyPolicy ??= policyOf(spec, live);
  throwInvalid(service, validateClusterIps(service, live));
  throwInvalid(service, [
    ...(live ? releaseSecond(spec, live.spec) : []),
    ...validateSingleStack(spec),
    ...inferFamilies(spec, clusterFamilies),
  ]);
  if (isSelectorlessHeadless(spec)) {
    setSelectorlessFamilies(spec, clusterFamilies);
    return;
  }
  throwInvalid(service, validateAvailable(spec, clusterFamilies));
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = clusterFamilies.slice(0, 1);
  if (spec.ipFamilyPolicy !== 'SingleStack' && clusterFamilies.length === 2) addOther(spec);
}

function throwInvalid({ metadata }: Service, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [...errors]);
}

/** PreferDualStack keeps existing families: a change of the cluster does not change its services. */
export function keepsDualStack({ spec }: Service, { spec: live }: Service): boolean {
  return (
    live.type === spec.type &&
    ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '') &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (live.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    sameList(live.clusterIPs, spec.clusterIPs) &&
    sameList(live.ipFamilies, spec.ipFamilies)
  );
}

/** A service becomes single-stack or dual-stack only when the client requests it. */
function policyOf(spec: ServiceSpec, live: Service | undefined): string {
  if (live?.spec.ipFamilyPolicy !== undefined) return live.spec.ipFamilyPolicy;
  return isSelectorlessHeadless(spec) ? 'RequireDualStack' : 'SingleStack';
}

/** Its endpoints are not made by the endpoints controller, and may be of any family. */
function isSelectorlessHeadless({ clusterIP, selector = {} }: ServiceSpec): boolean {
  return clusterIP === NO_CLUSTER_IP && Object.keys(selector).length === 0;
}

function releaseSecond(spec: ServiceSpec, live: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameList(spec.clusterIPs, live.clusterIPs)) keepFirst(spec, 'clusterIPs');
    if (sameList(spec.ipFamilies, live.ipFamilies)) keepFirst(spec, 'ipFamilies');
    return [];
  }
  const lists = { clusterIPs: 'cluster IP', ipFamilies: 'IP family' } as const;
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    const now = spec[field]?.length ?? 0;
    if (now === 0 || now >= (live[field]?.length ?? 0)) return [];
    const detail = `must be 'SingleStack' to release the secondary ${lists[field]}`;
    return [fieldError.invalid(POLICY, spec.ipFamilyPolicy, detail)];
  });
}

function keepFirst(spec: ServiceSpec, field: 'clusterIPs' | 'ipFamilies'): void {
  const list = spec[field] ?? [];
  if (list.length > 1) spec[field] = list.slice(0, 1);
}

function validateSingleStack(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const lists = { clusterIPs: 'cluster IPs', ipFamilies: 'IP families' } as const;
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    if (spec[field]?.length !== 2) return [];
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${lists[field]} are specified`;
    return [fieldError.invalid(POLICY, spec.ipFamilyPolicy, detail)];
  });
}

/** Addresses are validated and match the requested families. */
function inferFamilies(spec: ServiceSpec, clusterFamilies: readonly IpFamily[]): FieldError[] {
  const { clusterIPs = [] } = spec;
  const errors: FieldError[] = [];
  for (const [index, ip] of clusterIPs.entries()) {
    if (ip === NO_CLUSTER_IP) break;
    const family = parseIp(ip)?.family;
    if (index < (spec.ipFamilies ?? []).length) continue;
    if (family === undefined || !clusterFamilies.includes(family)) {
      const path = root('spec', 'clusterIPs').index(index);
      const detail = `${family ?? 'unknown'} is not configured on this cluster`;
      errors.push(fieldError.invalid(path, clusterIPs, detail));
    } else {
      spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    }
  }
  return errors;
}

function setSelectorlessFamilies(spec: ServiceSpec, clusterFamilies: readonly IpFamily[]): void {
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = clusterFamilies.slice(0, 1);
  if (spec.ipFamilyPolicy !== 'SingleStack') addOther(spec);
}

function addOther(spec: ServiceSpec): void {
  const [first, second] = spec.ipFamilies ?? [];
  if (first === undefined || second !== undefined) return;
  spec.ipFamilies = [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
}

function validateAvailable(spec: ServiceSpec, clusterFamilies: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack' && clusterFamilies.length < 2) {
    const detail = 'this cluster is not configured for dual-stack services';
    errors.push(fieldError.invalid(POLICY, spec.ipFamilyPolicy, detail));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (clusterFamilies.includes(family)) continue;
    const path = root('spec', 'ipFamilies').index(index);
    errors.push(fieldError.invalid(path, family, 'not configured on this cluster'));
  }
  return errors;
}
