/** Cluster IPs: those that are asked for, and random ones for services that ask for none. */

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
import { addressKey, type Picked } from './storage-keys.ts';

/** Its families are settled. */
export function giveAddresses(service: Service, pool: AddressPool, picked: Picked): void {
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

/** Addresses stay as they are, apart from services that had none. */
export function giveAddressesAgain(
  next: Service,
  live: Service,
  { pool, picked }: { pool: AddressPool; picked: Picked },
): void {
  if (keepsDualStack(next, live) || hasClusterIp(live)) return;
  giveAddresses(next, pool, picked);
}

function pickAddress(service: Service, { addresses, range }: AddressPool, picked: Picked): string {
  const { family, network } = range;
  // Nobody gets an address of a dry run: it is told one that nobody ever has.
  if (picked.dryRun) return formatIp({ family, value: network });
  const value = addresses.pick();
  if (value === undefined) {
    const name = goQuote(service.metadata.name ?? '');
    throw internalError(
      new Error(`failed to allocate a serviceIP for Service ${name}: range is full`),
    );
  }
  const ip = formatIp({ family, value });
  const why = whyNoOwner(service, ip);
  // The empty text stands for what was to be filled in.
  if (why !== undefined) throw refused(service, [''], `failed to allocate IP: ${why}`);
  picked.keys.add(addressKey(ip));
  return ip;
}

/** Whether somebody else has it is found out when it is written. */
function requireFree(
  service: Service,
  wanted: string,
  { pool, picked }: { pool: AddressPool; picked: Picked },
): void {
  if (allocatableAddress(pool.range, wanted) === undefined) {
    throw addressRefused(service, wanted, whyOutside(wanted, pool, picked));
  }
  const why = picked.dryRun ? undefined : whyNoOwner(service, canonicalIp(wanted));
  if (why !== undefined) throw addressRefused(service, wanted, why);
}

/** A dry run asks the one range that upstream takes for its own; otherwise upstream looks for one that has the address. */
function whyOutside(wanted: string, { range }: AddressPool, { dryRun }: Picked): string {
  if (!dryRun) return 'the provided network does not match the current range';
  const ip = canonicalIp(wanted);
  return `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${range.text}`;
}

/** Upstream finds bad names out when it writes down who has the address, before it looks at the service. */
function whyNoOwner({ metadata }: Service, ip: string): string | undefined {
  const { name = '' } = metadata;
  const path = root('spec', 'parentRef', 'name');
  const errors =
    name === ''
      ? [fieldError.required(path)]
      : validatePathSegmentName(name).map((detail) => fieldError.invalid(path, name, detail));
  if (errors.length === 0) return undefined;
  return invalid({ group: 'networking.k8s.io', kind: 'IPAddress' }, ip, errors).message;
}

export function addressRefused(service: Service, wanted: string, why: string): StatusError {
  const { clusterIPs = [] } = service.spec;
  return refused(service, clusterIPs, `failed to allocate IP ${wanted}: ${why}`);
}

function refused({ metadata }: Service, shown: readonly string[], detail: string): StatusError {
  return invalid({ group: '', kind: 'Service' }, metadata.name ?? '', [
    fieldError.invalid(root('spec', 'clusterIPs'), shown, detail),
  ]);
}
