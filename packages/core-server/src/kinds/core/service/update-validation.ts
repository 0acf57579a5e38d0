/** Validates changes of a service's addresses: only a secondary one can change. */

import type { Service } from '@tributary/api/core-v1';
import { type FieldError, fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import { metadataUpdateErrors } from '../../shared/object-metadata.ts';
import { hasClusterIp, isHeadless, needsHealthCheck } from './service-facts.ts';
import { validateBalancerClass, validateBalancerStatus } from './validate-exposure.ts';
import { validateServiceContent } from './validation.ts';

const CLUSTER_IPS = root('spec', 'clusterIPs');
const FAMILIES = root('spec', 'ipFamilies');
const POLICY = root('spec', 'ipFamilyPolicy');
const ONCE = 'may not change once set';

export function validateServiceUpdate(next: Service, live: Service): FieldError[] {
  return [
    ...metadataUpdateErrors(next, live),
    ...validateClusterIpChange(next, live),
    ...validateFamilyChange(next, live),
    ...validateClassChange(next, live),
    ...validateHealthCheckChange(next, live),
    ...validateServiceContent(next, live),
  ];
}

/** Only the status is validated: the stored spec may be invalid by newer rules. */
export function validateServiceStatus(next: Service, live: Service): FieldError[] {
  return [...metadataUpdateErrors(next, live), ...validateBalancerStatus(next, live)];
}

function validateClusterIpChange(next: Service, live: Service): FieldError[] {
  if (!hasClusterIp(next) || !hasClusterIp(live)) return [];
  if (isHeadless(next) && isHeadless(live)) return [];
  const before = live.spec.clusterIPs ?? [];
  const now = next.spec.clusterIPs ?? [];
  if (before.length === now.length) {
    return before.flatMap((ip, index) =>
      ip === now[index] ? [] : [fieldError.invalid(CLUSTER_IPS.index(index), now, ONCE)],
    );
  }
  const errors: FieldError[] = [];
  const first = CLUSTER_IPS.index(0);
  if (now.length === 0) {
    errors.push(fieldError.invalid(first, now, 'primary clusterIP can not be unset'));
  } else if (before.length > 0 && now[0] !== before[0]) {
    errors.push(fieldError.invalid(first, now, ONCE));
  }
  if (before.length > now.length && now.length === 1) {
    errors.push(...validateRelease(next, 'clusterIP'));
  }
  return errors;
}

function validateFamilyChange(next: Service, live: Service): FieldError[] {
  if (!hasClusterIp(next) || !hasClusterIp(live)) return [];
  if (isHeadless(next) || isHeadless(live)) return [];
  const before = live.spec.ipFamilies ?? [];
  const now = next.spec.ipFamilies ?? [];
  const addresses = next.spec.clusterIPs ?? [];
  const first = FAMILIES.index(0);
  if (before.length === now.length) {
    return before.flatMap((family, index) =>
      family === now[index] ? [] : [fieldError.invalid(first, now, ONCE)],
    );
  }
  const errors: FieldError[] = [];
  if (before.length > now.length && addresses.length === 0) {
    errors.push(fieldError.invalid(first, now, 'primary ipFamily can not be unset'));
  }
  if (before.length > 0 && now.length > 0 && now[0] !== before[0]) {
    errors.push(fieldError.invalid(first, addresses, ONCE));
  }
  if (before.length > now.length && now.length === 1) {
    errors.push(...validateRelease(next, 'ipFamily'));
  }
  return errors;
}

function validateRelease({ spec }: Service, what: 'clusterIP' | 'ipFamily'): FieldError[] {
  if (spec.ipFamilyPolicy === 'SingleStack') return [];
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [fieldError.invalid(POLICY, spec.ipFamilyPolicy ?? null, detail)];
}

function validateClassChange(next: Service, live: Service): FieldError[] {
  const { loadBalancerClass: now } = next.spec;
  const areBalanced = next.spec.type === 'LoadBalancer' && live.spec.type === 'LoadBalancer';
  const errors = validateBalancerClass(next);
  if (!areBalanced || now === live.spec.loadBalancerClass) return errors;
  return [fieldError.invalid(root('spec', 'loadBalancerClass'), now ?? null, ONCE), ...errors];
}

function validateHealthCheckChange(next: Service, live: Service): FieldError[] {
  if (!needsHealthCheck(next) || !needsHealthCheck(live)) return [];
  if (next.spec.healthCheckNodePort === live.spec.healthCheckNodePort) return [];
  return [fieldError.forbidden(root('spec', 'healthCheckNodePort'), fieldImmutable)];
}
