import { CelError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { NONE, Optional, type Result } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';
import type { Qualifier } from './qualifier.ts';

/**
 * A path from a variable or a computed value: `self.spec.items[0]`. Upstream evaluates a path as one
 * thing whose cost is 1 and 1 for every step; a conditional costs nothing and passes steps on.
 */
export type Attribute =
  | {
      readonly kind: 'path';
      readonly root: Evaluate;
      readonly qualifiers: readonly Qualifier[];
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Evaluate;
      readonly yes: Attribute;
      readonly no: Attribute;
    };

export function qualified(attribute: Attribute, qualifier: Qualifier): Attribute {
  if (attribute.kind === 'path') {
    return { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] };
  }
  return {
    ...attribute,
    yes: qualified(attribute.yes, qualifier),
    no: qualified(attribute.no, qualifier),
  };
}

/** Evaluates without the cost of the path itself, as branches of conditionals and keys are. */
export function resolver(attribute: Attribute): Evaluate {
  if (attribute.kind === 'path') {
    const { root, qualifiers } = attribute;
    return qualifiers.length === 0 ? root : (frame) => follow(frame, root(frame), qualifiers);
  }
  const { condition } = attribute;
  const [yes, no] = [resolver(attribute.yes), resolver(attribute.no)];
  return (frame) => {
    const value = condition(frame);
    if (value === true) {
      return yes(frame);
    }
    if (value === false) {
      return no(frame);
    }
    return value instanceof CelError ? value : NO_SUCH_OVERLOAD;
  };
}

/** Evaluates with all its cost. */
export function evaluator(attribute: Attribute): Evaluate {
  const resolve = resolver(attribute);
  if (attribute.kind === 'conditional') {
    return resolve;
  }
  return (frame) => {
    const value = resolve(frame);
    frame.charge(1);
    return value;
  };
}

/** From the first optional step on, what is missing is `optional.none()` and what is there an optional. */
function follow(frame: Frame, root: Result, qualifiers: readonly Qualifier[]): Result {
  if (root instanceof CelError) {
    return root;
  }
  let optional = root instanceof Optional;
  let value: Result = root;
  if (root instanceof Optional) {
    if (root.value === undefined) {
      return root;
    }
    value = root.value;
  }
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional;
    const next: Result | undefined = optional
      ? qualifier.qualifyIfPresent(frame, value)
      : qualifier.qualify(frame, value);
    if (next === undefined) {
      return NONE;
    }
    if (next instanceof CelError) {
      return next;
    }
    value = next;
  }
  return optional ? new Optional(value) : value;
}
