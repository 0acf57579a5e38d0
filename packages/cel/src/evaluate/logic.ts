import { comparisonCost } from '../declarations/estimate.ts';
import { equal } from '../values/equality.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { Optional, type Value } from '../values/value.ts';
import type { Evaluate } from './frame.ts';

/** `&&` and `||`: the deciding value wins over errors on either side. */
export function logical(terms: readonly Evaluate[], deciding: boolean): Evaluate {
  return (frame) => {
    let error: CelError | undefined;
    for (const term of terms) {
      const value = term(frame);
      if (value === deciding) {
        return deciding;
      }
      if (typeof value !== 'boolean') {
        error ??= value instanceof CelError ? value : NO_SUCH_OVERLOAD;
      }
    }
    return error ?? !deciding;
  };
}

/** `==` and `!=`; both sides are evaluated whatever the first gives. */
export function equality(left: Evaluate, right: Evaluate, wanted: boolean): Evaluate {
  return (frame) => {
    const ours = left(frame);
    const theirs = right(frame);
    if (ours instanceof CelError || theirs instanceof CelError) {
      frame.charge(comparisonCost(ours, theirs));
      return ours instanceof CelError ? ours : theirs;
    }
    const result = equal(ours, theirs, frame.step);
    const own = wanted ? ownEqualityCost(ours) : undefined;
    frame.charge(own ?? comparisonCost(ours, theirs));
    if (wanted) {
      return result;
    }
    return result !== true;
  };
}

function ownEqualityCost(value: Value): number | undefined {
  return typeof value === 'object' && value !== null && 'equalityCost' in value
    ? value.equalityCost
    : undefined;
}

/** `optional.or(optional)` and `optional.orValue(value)`: the second is evaluated only when needed. */
export function alternative(first: Evaluate, second: Evaluate, unwrap: boolean): Evaluate {
  return (frame) => {
    const value = first(frame);
    if (!(value instanceof Optional)) {
      return value;
    }
    if (value.value === undefined) {
      return second(frame);
    }
    return unwrap ? value.value : value;
  };
}

/** The condition of loops: only false ends one, an error does not. */
export function notStrictlyFalse(value: Evaluate): Evaluate {
  return (frame) => {
    const found = value(frame);
    frame.charge(1);
    return typeof found === 'boolean' ? found : true;
  };
}
