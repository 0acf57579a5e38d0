/** The errors of a real server for an object or a definition, as far as the evaluator has them too. */
import type { Response } from '../../test/harness/index.ts';

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** Complaints with the place they are about; an accepted request has none. */
export function complaints(response: Response): readonly Required<Cause>[] {
  if (response.status < 300) return [];
  const { details } = response.json() as { details?: { causes?: readonly Cause[] } };
  return (details?.causes ?? []).map(({ field = '', message = '' }) => ({
    field,
    // The name of the type of self has digits of the clock in it.
    message: message.replace(/selfType\d+/g, 'selfType'),
  }));
}

/** In the judge's words, for which the value of a property is the root. */
export function asRuleErrors(response: Response, property: string): readonly string[] {
  return complaints(response)
    .map(({ field, message }) => `${field.replace(`spec.${property}`, 'root')}: ${message}`)
    .sort();
}
