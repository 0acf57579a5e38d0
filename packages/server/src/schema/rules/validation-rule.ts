import { isRecord } from '../schema-node.ts';

/** One entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** A CEL expression that must be true; `self` is the value, `oldSelf` the one before the update. */
  readonly rule: string;
  readonly message?: string;
  /** A CEL expression for the message, which replaces `message` when it can be evaluated. */
  readonly messageExpression?: string;
  readonly reason?: string;
  /** The path of the error below the value: `.spec.name`, `['a.b']`. */
  readonly fieldPath?: string;
  /** `oldSelf` is an optional, and the rule is evaluated for new values too. */
  readonly optionalOldSelf?: boolean;
}

/** The rules of a schema; an entry without a rule has an empty one. */
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
