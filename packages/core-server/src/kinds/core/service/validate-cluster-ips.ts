/** Validates cluster IPs and IP families, which depend on each other. */

import type { Service, ServiceSpec } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  parseIp,
  root,
  validateIpForLegacyField,
} from '@tributary/apimachinery';
import { hasClusterIp, isHeadless, NO_CLUSTER_IP } from './service-facts.ts';

const CLUSTER_IPS = root('spec', 'clusterIPs');
const FAMILIES = root('spec', 'ipFamilies');
const POLICY = root('spec', 'ipFamilyPolicy');
const families: readonly string[] = ['IPv4', 'IPv6'];
const policies: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Called before addresses are allocated, and again with all other validation. */
export function validateClusterIps(service: Service, live?: Service): FieldError[] {
  if (!hasClusterIp(service)) return [];
  const { spec } = service;
  const addressErrors = validateAddresses(spec, live?.spec.clusterIPs);
  const errors = [
    ...validateFirst(spec),
    ...validateFamilies(spec),
    ...validatePolicy(spec),
    ...addressErrors,
  ];
  const { clusterIPs = [] } = spec;
  if (clusterIPs.length > 2) {
    errors.push(fieldError.invalid(CLUSTER_IPS, clusterIPs, 'may only hold up to 2 values'));
  }
  // Further errors would only repeat that an address is malformed.
  if (addressErrors.length > 0) return errors;
  return [...errors, ...validateOnePerFamily(spec), ...validateMatchingFamilies(service)];
}

function validateFirst({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  const [first] = clusterIPs;
  if (clusterIP === '') {
    if (first === undefined) return [];
    const detail = 'must be empty when `clusterIP` is not specified';
    return [fieldError.invalid(CLUSTER_IPS, clusterIPs, detail)];
  }
  if (first === undefined) return [fieldError.required(CLUSTER_IPS)];
  if (first === clusterIP) return [];
  return [fieldError.invalid(CLUSTER_IPS, clusterIPs, 'first value must match `clusterIP`')];
}

function validateFamilies({ ipFamilies = [] }: ServiceSpec): FieldError[] {
  return ipFamilies.flatMap((family, index) => {
    const path = FAMILIES.index(index);
    const errors: FieldError[] = [];
    if (!families.includes(family)) errors.push(fieldError.notSupported(path, family, families));
    if (ipFamilies.indexOf(family) < index) errors.push(fieldError.duplicate(path, family));
    return errors;
  });
}

function validatePolicy({ ipFamilyPolicy }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy === undefined || policies.includes(ipFamilyPolicy)) return [];
  return [fieldError.notSupported(POLICY, ipFamilyPolicy, policies)];
}

function validateAddresses(
  { clusterIPs = [] }: ServiceSpec,
  before: readonly string[] | undefined,
): FieldError[] {
  return clusterIPs.flatMap((ip, index) => {
    if (index > 0 || ip !== NO_CLUSTER_IP) {
      return validateIpForLegacyField(CLUSTER_IPS.index(index), ip, before);
    }
    if (clusterIPs.length === 1) return [];
    return [fieldError.invalid(CLUSTER_IPS, clusterIPs, "'None' must be the first and only value")];
  });
}

function validateOnePerFamily({ clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIPs.length < 2) return [];
  const known = new Set(clusterIPs.map((ip) => parseIp(ip)?.family));
  if (known.size === 2) return [];
  const detail = 'may specify no more than one IP for each IP family';
  return [fieldError.invalid(CLUSTER_IPS, clusterIPs, detail)];
}

function validateMatchingFamilies(service: Service): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = service.spec;
  if (isHeadless(service)) return [];
  return clusterIPs.flatMap((ip, index) => {
    const wanted = ipFamilies[index] ?? '';
    if (!families.includes(wanted) || parseIp(ip)?.family === wanted) return [];
    const detail = `expected an ${wanted} value as indicated by \`ipFamilies[${index}]\``;
    return [fieldError.invalid(CLUSTER_IPS.index(index), ip, detail)];
  });
}
