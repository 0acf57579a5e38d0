/** The field numbers of `openapi.v2.Schema` of gnostic. */
import {
  any,
  choice,
  double,
  flag,
  int64,
  type MessageForm,
  message,
  named,
  repeated,
  text,
  wrapped,
} from './codec.ts';

export const schema = message(() => schemaForm);

export const externalDocs = message(() => ({
  fields: { description: [1, text], url: [2, text] },
  extensions: 3,
}));

const xml = message(() => ({
  fields: {
    name: [1, text],
    namespace: [2, text],
    prefix: [3, text],
    attribute: [4, flag],
    wrapped: [5, flag],
  },
  extensions: 6,
}));

/** One value or a list. */
const oneOrMany = (codec: typeof text) =>
  choice((value) => wrapped(1, Array.isArray(value) ? repeated(codec) : codec));

const schemaForm: MessageForm = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, flag],
    minimum: [9, double],
    exclusiveMinimum: [10, flag],
    maxLength: [11, int64],
    minLength: [12, int64],
    pattern: [13, text],
    maxItems: [14, int64],
    minItems: [15, int64],
    uniqueItems: [16, flag],
    maxProperties: [17, int64],
    minProperties: [18, int64],
    required: [19, repeated(text)],
    enum: [20, repeated(any)],
    additionalProperties: [
      21,
      choice((value) => (typeof value === 'boolean' ? wrapped(2, flag) : wrapped(1, schema))),
    ],
    type: [22, oneOrMany(text)],
    items: [23, oneOrMany(schema)],
    allOf: [24, repeated(schema)],
    properties: [25, named(schema)],
    discriminator: [26, text],
    readOnly: [27, flag],
    xml: [28, xml],
    externalDocs: [29, externalDocs],
    example: [30, any],
  },
  extensions: 31,
};

const fileSchema = message(() => ({
  fields: {
    format: [1, text],
    title: [2, text],
    description: [3, text],
    default: [4, any],
    required: [5, repeated(text)],
    type: [6, text],
    readOnly: [7, flag],
    externalDocs: [8, externalDocs],
    example: [9, any],
  },
  extensions: 10,
}));

/** The content of a response: a schema, or a file. */
export const responseSchema = choice((value) =>
  isFile(value) ? wrapped(2, fileSchema) : wrapped(1, schema),
);

function isFile(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'file';
}
