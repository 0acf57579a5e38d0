import type { TSchema } from 'typebox';
import type { ValidationRule } from './validation-rule.ts';

/**
 * A schema with CEL rules, visible to clients and `kubectl explain`: `rules(Type.Object({…}), 'self.min <= self.max')`.
 * A text is the expression alone. Rules are evaluated for objects in the storage version that the schema has accepted;
 * a rule that does not compile is rejected when the version is defined.
 */
export function rules<S extends TSchema>(
  schema: S,
  ...rules: readonly (string | ValidationRule)[]
): S {
  const validations = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  // TypeBox marks schemas by properties that a spread does not copy.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      'x-kubernetes-validations': { value: validations, enumerable: true, configurable: true },
    },
  ) as S;
}
