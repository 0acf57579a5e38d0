/** The field numbers of the parameters and headers of `openapi.v2` of gnostic. */
import {
  any,
  type Codec,
  choice,
  double,
  type Fields,
  flag,
  int64,
  message,
  repeated,
  text,
  wrapped,
} from './codec.ts';
import { schema } from './schema-v2.ts';

/**
 * Parameters without a body, headers and their items have the same fields, at numbers that begin at different offsets.
 */
function simpleFields(typeId: number): Fields {
  const from = typeId;
  return {
    type: [from, text],
    format: [from + 1, text],
    items: [from + 2, primitiveItems],
    collectionFormat: [from + 3, text],
    default: [from + 4, any],
    maximum: [from + 5, double],
    exclusiveMaximum: [from + 6, flag],
    minimum: [from + 7, double],
    exclusiveMinimum: [from + 8, flag],
    maxLength: [from + 9, int64],
    minLength: [from + 10, int64],
    pattern: [from + 11, text],
    maxItems: [from + 12, int64],
    minItems: [from + 13, int64],
    uniqueItems: [from + 14, flag],
    enum: [from + 15, repeated(any)],
    multipleOf: [from + 16, double],
  };
}

const primitiveItems: Codec = message(() => ({ fields: simpleFields(1), extensions: 18 }));

export const header: Codec = message(() => ({
  fields: { ...simpleFields(1), description: [18, text] },
  extensions: 19,
}));

const bodyParameter = message(() => ({
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, schema],
  },
  extensions: 6,
}));

const COMMON: Fields = {
  required: [1, flag],
  in: [2, text],
  description: [3, text],
  name: [4, text],
};

/** For headers and paths. */
const plainParameter = message(() => ({
  fields: { ...COMMON, ...simpleFields(5) },
  extensions: 22,
}));

/** For queries and forms. */
const optionalParameter = message(() => ({
  fields: { ...COMMON, allowEmptyValue: [5, flag], ...simpleFields(6) },
  extensions: 23,
}));

/** A parameter is nested below its type. */
export const parameter = choice((value) => {
  switch (placeOf(value)) {
    case 'body':
      return wrapped(1, bodyParameter);
    case 'header':
      return wrapped(2, wrapped(1, plainParameter));
    case 'formData':
      return wrapped(2, wrapped(2, optionalParameter));
    case 'query':
      return wrapped(2, wrapped(3, optionalParameter));
    default:
      return wrapped(2, wrapped(4, plainParameter));
  }
});

export const reference = message(() => ({ fields: { $ref: [1, text], description: [2, text] } }));

/** In an operation or a path: the parameter, or a reference to it. */
export const parameterItem = choice((value) =>
  placeOf(value) === undefined ? wrapped(2, reference) : wrapped(1, parameter),
);

function placeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'in' in value ? value.in : undefined;
}
