import type { Lease, LeaseSpec } from '@tributary/api/coordination-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  qualifiedNameErrors,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';

const METADATA_RULES = {
  namespaced: true,
  validateName: validateDnsSubdomainName,
  anyFinalizer: true,
} as const;
const SPEC = root('spec');
const STRATEGIES = ['OldestEmulationVersion'] as const;

export function validateLease(lease: Lease): FieldError[] {
  return [...metadataErrors(lease, METADATA_RULES), ...validateSpec(lease.spec)];
}

export function validateLeaseUpdate(next: Lease, live: Lease): FieldError[] {
  return [...metadataUpdateErrors(next, live, METADATA_RULES), ...validateSpec(next.spec)];
}

function validateSpec(spec: LeaseSpec): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions, strategy, preferredHolder } = spec;
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    const path = SPEC.child('leaseDurationSeconds');
    errors.push(fieldError.invalid(path, leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    const path = SPEC.child('leaseTransitions');
    errors.push(fieldError.invalid(path, leaseTransitions, 'must be greater than or equal to 0'));
  }
  if (strategy !== undefined) errors.push(...validateStrategy(strategy, SPEC.child('strategy')));
  if (preferredHolder && !strategy) {
    const detail = 'may only be specified if `strategy` is defined';
    errors.push(fieldError.forbidden(SPEC.child('preferredHolder'), detail));
  }
  return errors;
}

/** A strategy of Kubernetes, or a name with a domain. Upstream has the field twice in the path. */
function validateStrategy(strategy: string, path: FieldPath): FieldError[] {
  const fieldPath = path.child('strategy');
  if (strategy.includes('/')) {
    return qualifiedNameErrors(strategy).map((detail) =>
      fieldError.invalid(fieldPath, strategy, detail),
    );
  }
  const known = STRATEGIES.some((one) => one === strategy);
  return known ? [] : [fieldError.notSupported(fieldPath, strategy, STRATEGIES)];
}
