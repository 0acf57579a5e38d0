import type { Node, Taint } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  root,
  validateCidrForLegacyField,
} from '@tributary/apimachinery';
import { validateQualifiedName } from '../../shared/validate-names.ts';

const SPEC = root('spec');

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateNode({ spec }: Node): FieldError[] {
  const ranges = (spec.podCIDRs ?? []).flatMap((range, index) =>
    validateCidrForLegacyField(SPEC.child('podCIDRs').index(index), range),
  );
  return [...(spec.taints ?? []).flatMap(validateTaint), ...ranges];
}

/** Upstream's path of taints begins with `metadata`. */
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
