import type { CustomResourceDefinitionSpec } from '@tributary/api/apiextensions-v1';

/** About this many schema values are validated in a few milliseconds. */
const WEIGHT_MAX = 2_000;
/** The fixed cost of compiling a rule; each character costs about as much as one value. */
const RULE_WEIGHT = 100;

const EXPRESSIONS: ReadonlySet<string> = new Set(['rule', 'messageExpression']);

/** Whether validation of a definition would delay other requests: by the values in its schemas and by its rules. */
export function isHeavy({ versions }: CustomResourceDefinitionSpec): boolean {
  const pending: unknown[] = (versions ?? []).map(({ schema }) => schema);
  let weight = 0;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      weight += 1;
      if (typeof inner === 'string' && EXPRESSIONS.has(key)) weight += RULE_WEIGHT + inner.length;
      else pending.push(inner ?? null);
    }
    if (weight > WEIGHT_MAX) return true;
  }
  return false;
}
