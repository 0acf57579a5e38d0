/** The numbers of `openapi.v2.Document` of gnostic, for what our documents contain. */
import type { DocumentV2 } from '../document-v2.ts';
import {
  any,
  choice,
  double,
  encodeMessage,
  flag,
  int64,
  type MessageForm,
  message,
  named,
  repeated,
  text,
  wrapped,
} from './codec.ts';

export function encodeDocumentV2(document: DocumentV2): Uint8Array {
  return encodeMessage(documentForm, document);
}

const schema = message(() => schemaForm);

const schemaForm: MessageForm = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
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
    type: [22, wrapped(1, text)],
    items: [23, wrapped(1, schema)],
    properties: [25, named(schema)],
    readOnly: [27, flag],
    example: [30, any],
  },
  extensions: 31,
};

const bodyParameter = message(() => ({
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, schema],
  },
}));

const queryParameter = message(() => ({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
  },
}));

const pathParameter = message(() => ({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
  },
}));

/** A parameter lies below the kind of parameter that it is. */
const parameter = choice((value) => {
  switch (placeOf(value)) {
    case 'body':
      return wrapped(1, bodyParameter);
    case 'query':
      return wrapped(2, wrapped(3, queryParameter));
    default:
      return wrapped(2, wrapped(4, pathParameter));
  }
});

const reference = message(() => ({ fields: { $ref: [1, text] } }));

/** In an operation or a path: the parameter itself, or where it is written. */
const parameterItem = choice((value) =>
  placeOf(value) === undefined ? wrapped(2, reference) : wrapped(1, parameter),
);

const response = message(() => ({
  fields: { description: [1, text], schema: [2, wrapped(1, schema)] },
}));

const operation = message(() => ({
  fields: {
    tags: [1, repeated(text)],
    description: [3, text],
    operationId: [5, text],
    produces: [6, repeated(text)],
    consumes: [7, repeated(text)],
    parameters: [8, repeated(parameterItem)],
    responses: [9, named(wrapped(1, response))],
    schemes: [10, repeated(text)],
  },
  extensions: 13,
}));

const pathItem = message(() => ({
  fields: {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, repeated(parameterItem)],
  },
}));

const apiKeySecurity = message(() => ({
  fields: { type: [1, text], name: [2, text], in: [3, text], description: [4, text] },
}));

const info = message(() => ({ fields: { title: [1, text], version: [2, text] } }));

const documentForm: MessageForm = {
  fields: {
    swagger: [1, text],
    info: [2, info],
    paths: [8, named(pathItem, 2)],
    definitions: [9, named(schema)],
    parameters: [10, named(parameter)],
    security: [12, repeated(named(wrapped(1, repeated(text))))],
    securityDefinitions: [13, named(wrapped(2, apiKeySecurity))],
  },
};

function placeOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'in' in value ? value.in : undefined;
}
