/** Allocates cluster IPs: the requested ones, or random ones. */

import type { Service } from '@tributary/api/core-v1';
import {
  canonicalIp,
  fieldError,
  formatIp,
  goQuote,
  internalError,
  invalid,
  root,
  type StatusError,
  validatePathSegmentName,
} from '@tributary/apimachinery';
import type { AddressPool } from '../../../addresses/address-pool.ts';
import { allocatableAddress } from '../../../addresses/address-range.ts';
import { keepsDualStack } from './ip-families.ts';
import { hasClusterIp, isHeadless } from './service-facts.ts';
import { type Allocated, addressKey } from './storage-keys.ts';

/** `ipFamilies` is set already. */
export function allocateClusterIps(service: Service, pool: AddressPool, picked: Allocated): void {
  if (!hasClusterIp(service) || isHeadless(service)) return;
  const { spec } = service;
  const given: string[] = [...(spec.clusterIPs ?? [])];
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family !== pool.range.family) continue;
    const wanted = given[index] ?? '';
    if (wanted === '') given[index] = pickAddress(service, pool, picked);
    else requireFree(service, wanted, { pool, picked });
  }
  const [first] = given;
  if (first === undefined) return;
  spec.clusterIPs = given;
  spec.clusterIP = first;
}

/** Existing addresses stay; a service without any gets them. */
export function reallocateClusterIps(
  next: Service,
  live: Service,
  { pool, picked }: { pool: AddressPool; picked: Allocated },
): void {
  if (keepsDualStack(next, live) || hasClusterIp(live)) return;
  allocateClusterIps(next, pool, picked);
}

function pickAddress(
  service: Service,
  { addresses, range }: AddressPool,
  picked: Allocated,
): string {
  const { family, network } = range;
  // A dry run gets the network address, which is never allocated.
  if (picked.dryRun) return formatIp({ family, value: network });
  const value = addresses.pick();
  if (value === undefined) {
    const name = goQuote(service.metadata.name ?? '');
    throw internalError(
      new Error(`failed to allocate a serviceIP for Service ${name}: range is full`),
    );
  }
  const ip = formatIp({ family, value });
  const reason = ownerError(service, ip);
  // The empty value is the one that should have been allocated.
  if (reason !== undefined)
    throw clusterIpsError(service, [''], `failed to allocate IP: ${reason}`);
  picked.keys.add(addressKey(ip));
  return ip;
}

/** The write of the service detects an address that another service has. */
function requireFree(
  service: Service,
  wanted: string,
  { pool, picked }: { pool: AddressPool; picked: Allocated },
): void {
  if (allocatableAddress(pool.range, wanted) === undefined) {
    throw addressError(service, wanted, outsideMessage(wanted, pool, picked));
  }
  const reason = picked.dryRun ? undefined : ownerError(service, canonicalIp(wanted));
  if (reason !== undefined) throw addressError(service, wanted, reason);
}

/** Upstream's message differs: a dry run looks only at the primary range. */
function outsideMessage(wanted: string, { range }: AddressPool, { dryRun }: Allocated): string {
  if (!dryRun) return 'the provided network does not match the current range';
  const ip = canonicalIp(wanted);
  return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${range.text}`;
}

/** Upstream validates the name when it creates the IPAddress, before it validates the service. */
function ownerError({ metadata }: Service, ip: string): string | undefined {
  const { name = '' } = metadata;
  const path = root('spec', 'parentRef', 'name');
  const errors =
    name === ''
      ? [fieldError.required(path)]
      : validatePathSegmentName(name).map((detail) => fieldError.invalid(path, name, detail));
  if (errors.length === 0) return undefined;
  return invalid({ group: 'networking.k8s.io', kind: 'IPAddress' }, ip, errors).message;
}

export function addressError(service: Service, wanted: string, reason: string): StatusError {
  const { clusterIPs = [] } = service.spec;
  return clusterIpsError(service, clusterIPs, `failed to allocate IP ${wanted}: ${reason}`);
}

function clusterIpsError(
  { metadata }: Service,
  shown: readonly string[],
  detail: string,
): StatusError {
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [
    fieldError.invalid(root('spec', 'clusterIPs'), shown, detail),
  ]);
}
