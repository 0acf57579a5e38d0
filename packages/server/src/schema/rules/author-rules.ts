import type { TSchema } from 'typebox';
import type { ValidationRule } from './validation-rule.ts';

/**
 * A schema with rules in CEL, which clients and `kubectl explain` can read: `rules(Type.Object({…}), 'self.min <= self.max')`.
 * A text is the expression alone. They are asked about objects in the version that is stored, when the schema has accepted
 * them; a rule that cannot be compiled is refused when the version is defined.
 */
export function rules<S extends TSchema>(
  schema: S,
  ...rules: readonly (string | ValidationRule)[]
): S {
  const validations = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
  // TypeBox marks schemas by properties that are not copied otherwise.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      'x-kubernetes-validations': { value: validations, enumerable: true, configurable: true },
    },
  ) as S;
}
