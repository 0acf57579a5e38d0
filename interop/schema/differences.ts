/** Where our answer differs from the original's, on purpose or because it must. */
import type { StepResult } from './schema-response.ts';

export interface Difference {
  readonly reason: string;
  readonly ours: Partial<StepResult>;
}

const FLOAT =
  'a whole number written with a fraction or an exponent is an integer to us, a float64 to the original';

const LIST =
  'the original takes a list for a text with a format; to us the schema is the type that an author’s code relies on';

export const differences: ReadonlyMap<string, Difference> = new Map([
  ['number: 1e3', invalid(FLOAT, 'spec.number', '1000', 'less than or equal to 99')],
  ['betweenNumbers: 1e7', invalid(FLOAT, 'spec.betweenNumbers', '10000000', 'less than 1000000')],
  [
    'multipleNumber: 1e6',
    refused(
      FLOAT,
      'spec.multipleNumber',
      'Invalid value: 0: factor MultipleOf declared for spec.multipleNumber must be positive: 0',
    ),
  ],
  [
    'date-time: []',
    refused(
      LIST,
      'spec.formats.date-time',
      'Invalid value: "array": spec.formats.date-time in body must be of type string: "array"',
      'FieldValueTypeInvalid',
    ),
  ],
]);

function invalid(reason: string, field: string, value: string, rule: string): Difference {
  return refused(reason, field, `Invalid value: ${value}: ${field} in body should be ${rule}`);
}

function refused(
  reason: string,
  field: string,
  cause: string,
  type = 'FieldValueInvalid',
): Difference {
  return {
    reason,
    ours: {
      code: 422,
      reason: 'Invalid',
      message: `Thing.schema.example.com "NAME" is invalid: ${field}: ${cause}`,
      causes: [`${field} | ${type} | ${cause}`],
      spec: undefined,
    },
  };
}
