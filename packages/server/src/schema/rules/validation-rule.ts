import { isRecord } from '../schema-node.ts';

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** A CEL expression that must be true; `self` is the value, `oldSelf` what it was before. */
  readonly rule: string;
  readonly message?: string;
  /** A CEL expression for the message, which counts when it can be evaluated. */
  readonly messageExpression?: string;
  readonly reason?: string;
  /** Where, below the value, the error is said to be: `.spec.name`, `['a.b']`. */
  readonly fieldPath?: string;
  /** `oldSelf` is an optional, and the rule is asked for new values too. */
  readonly optionalOldSelf?: boolean;
}

/** What a schema says; an entry without a rule has an empty one. */
export function rulesIn(schema: Readonly<Record<string, unknown>>): readonly ValidationRule[] {
  const rules = schema['x-kubernetes-validations'];
  return Array.isArray(rules) ? rules.filter(isRecord).map(readRule) : [];
}

function readRule(entry: Record<string, unknown>): ValidationRule {
  const text = (name: string) => (typeof entry[name] === 'string' ? { [name]: entry[name] } : {});
  return {
    rule: typeof entry.rule === 'string' ? entry.rule : '',
    ...text('message'),
    ...text('messageExpression'),
    ...text('reason'),
    ...text('fieldPath'),
    ...(typeof entry.optionalOldSelf === 'boolean' && { optionalOldSelf: entry.optionalOldSelf }),
  };
}
