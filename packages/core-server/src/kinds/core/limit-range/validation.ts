import type { LimitRangeItem } from '@tributary/api/core-v1';
import {
  compareQuantities,
  type FieldError,
  fieldError,
  parseQuantity,
  root,
} from '@tributary/apimachinery';

const SPEC = root('spec');

export function validateLimits(limits: readonly LimitRangeItem[]): FieldError[] {
  const path = SPEC.child('limits');
  return limits.flatMap(({ type, min = {}, max = {} }, index) => {
    const at = path.index(index);
    if (limits.findIndex((other) => other.type === type) < index) {
      return [fieldError.duplicate(at.child('type'), type)];
    }
    return Object.entries(min).flatMap(([name, least]) =>
      isGreater(least, max[name])
        ? [
            fieldError.invalid(
              at.child('min').key(name),
              least,
              `min value ${least} is greater than max value ${max[name]}`,
            ),
          ]
        : [],
    );
  });
}

function isGreater(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  return a.ok && b.ok && compareQuantities(a.quantity, b.quantity) > 0;
}
