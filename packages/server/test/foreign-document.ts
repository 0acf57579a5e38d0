/** A document of OpenAPI 2.0 with everything that there is, as no server of ours would write it. */
const externalDocs = { description: 'd', url: 'u', 'x-docs': 1 };

const simple = {
  type: 'array',
  format: 'f',
  collectionFormat: 'csv',
  default: [1],
  maximum: 1.5,
  exclusiveMaximum: true,
  minimum: 2,
  exclusiveMinimum: true,
  maxLength: 3,
  minLength: 4,
  pattern: 'p',
  maxItems: 5,
  minItems: 6,
  uniqueItems: true,
  enum: [1, 'a'],
  multipleOf: 7,
};
const value = { ...simple, items: { ...simple, items: { type: 'string' }, 'x-items': 1 } };

const schema = {
  format: 'f',
  title: 't',
  description: 'd',
  default: { a: 1 },
  type: 'object',
  allOf: [{ $ref: '#/definitions/E' }],
  properties: { default: { type: 'string' } },
  additionalProperties: { type: 'string' },
  discriminator: 'kind',
  xml: { name: 'n', namespace: 's', prefix: 'p', attribute: true, wrapped: true, 'x-xml': 1 },
  externalDocs,
  example: 1,
  'x-schema': [1],
};

const file = {
  format: 'f',
  title: 't',
  description: 'd',
  default: 1,
  required: ['a'],
  type: 'file',
  readOnly: true,
  externalDocs,
  example: 1,
  'x-file': 1,
};

const operation = {
  tags: ['t'],
  summary: 's',
  description: 'd',
  externalDocs,
  operationId: 'o',
  produces: ['p'],
  consumes: ['c'],
  parameters: [
    { $ref: '#/parameters/q', description: 'd' },
    { name: 'h', in: 'header', required: true, description: 'd', ...value, 'x-p': 1 },
    { name: 'f', in: 'formData', allowEmptyValue: true, description: 'd', ...value, 'x-p': 1 },
    { name: 'q', in: 'query', allowEmptyValue: true, ...value, 'x-p': 1 },
    { name: 'p', in: 'path', required: true, ...value, 'x-p': 1 },
    { name: 'b', in: 'body', required: true, description: 'd', schema, 'x-b': 1 },
  ],
  responses: {
    200: {
      description: 'd',
      schema,
      headers: { H: { ...value, description: 'd', 'x-h': 1 } },
      examples: { 'application/json': { a: 1 } },
      'x-r': 1,
    },
    201: { description: 'd', schema: file },
    default: { $ref: '#/responses/r' },
  },
  schemes: ['https'],
  deprecated: true,
  security: [{ basic: ['s'] }],
  'x-o': 1,
};

const flow = { type: 'oauth2', scopes: { s: 'd' }, description: 'd', 'x-flow': 1 };

export const foreign = {
  swagger: '2.0',
  info: {
    title: 't',
    version: 'v',
    description: 'd',
    termsOfService: 's',
    contact: { name: 'n', url: 'u', email: 'e', 'x-c': 1 },
    license: { name: 'n', url: 'u', 'x-l': 1 },
    'x-i': 1,
  },
  host: 'h',
  basePath: '/b',
  schemes: ['https'],
  consumes: ['c'],
  produces: ['p'],
  paths: {
    '/a': {
      $ref: 'r',
      get: operation,
      options: operation,
      head: operation,
      parameters: [{ name: 'q', in: 'query', type: 'string' }],
      'x-item': 1,
    },
  },
  definitions: { D: schema, E: { type: 'object' } },
  parameters: { q: { name: 'q', in: 'query', type: 'string' } },
  responses: { r: { description: 'd' } },
  security: [{ basic: ['s'] }],
  securityDefinitions: {
    basic: { type: 'basic', description: 'd', 'x-s': 1 },
    key: { type: 'apiKey', name: 'n', in: 'header', description: 'd', 'x-s': 1 },
    implicit: { ...flow, flow: 'implicit', authorizationUrl: 'a' },
    password: { ...flow, flow: 'password', tokenUrl: 't' },
    application: { ...flow, flow: 'application', tokenUrl: 't' },
    accessCode: { ...flow, flow: 'accessCode', authorizationUrl: 'a', tokenUrl: 't' },
  },
  tags: [{ name: 'n', description: 'd', externalDocs, 'x-t': 1 }],
  externalDocs,
  'x-d': 1,
};
