import type { Node, Taint } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  root,
  validateCidrForLegacyField,
} from '@tributary/apimachinery';
import { type AdmissionResult, allow, type CreateReview } from '@tributary/server';
import { validateQualifiedName } from '../../shared/validate-names.ts';

const SPEC = root('spec');
const NOT_READY = 'node.kubernetes.io/not-ready';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function defaultNode({ spec, status }: Node): void {
  if (status.capacity && !status.allocatable) status.allocatable = status.capacity;
  // Go has two names for it, and writes both.
  if (spec.podCIDR) spec.podCIDRs ??= [spec.podCIDR];
  const [first] = spec.podCIDRs ?? [];
  if (first !== undefined) spec.podCIDR = first;
}

/** A new node takes no pods until somebody has seen that it is ready. */
export function admitNode({ object: { spec } }: CreateReview<Node>): AdmissionResult {
  const taints = spec.taints ?? [];
  if (!taints.some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule')) {
    spec.taints = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
  }
  return allow;
}

export function validateNode({ spec }: Node): FieldError[] {
  const ranges = (spec.podCIDRs ?? []).flatMap((range, index) =>
    validateCidrForLegacyField(SPEC.child('podCIDRs').index(index), range),
  );
  return [...(spec.taints ?? []).flatMap(validateTaint), ...ranges];
}

/** Upstream says that taints are metadata. */
function validateTaint({ key, effect }: Taint, index: number): FieldError[] {
  const at = root('metadata').child('taints').index(index);
  return [
    ...validateQualifiedName(at.child('key'), key),
    ...(EFFECTS.includes(effect)
      ? []
      : [fieldError.notSupported(at.child('effect'), effect, EFFECTS)]),
  ];
}

export function validateNodeChange({ spec }: Node, live: Node): FieldError[] {
  const errors: FieldError[] = [];
  if (live.spec.podCIDR && spec.podCIDR !== live.spec.podCIDR) {
    errors.push(
      fieldError.forbidden(
        SPEC.child('podCIDRs'),
        'node updates may not change podCIDR except from "" to valid',
      ),
    );
  }
  if (live.spec.providerID && spec.providerID !== live.spec.providerID) {
    const detail = `field cannot be ${spec.providerID ? 'modified' : 'cleared'} once set`;
    errors.push(fieldError.invalid(SPEC.child('providerID'), null, detail));
  }
  return errors;
}
