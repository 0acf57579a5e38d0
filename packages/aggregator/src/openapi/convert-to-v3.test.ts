import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertToV3 } from './convert-to-v3.ts';
import { readSpecification } from './read-specification.ts';

const document = {
  swagger: '2.0',
  info: { title: 'T', version: 'v1' },
  consumes: ['application/yaml'],
  paths: {
    '/a': {
      parameters: [{ $ref: '#/parameters/pretty' }],
      post: {
        operationId: 'createA',
        tags: ['a'],
        schemes: ['https'],
        consumes: ['application/json'],
        produces: ['application/json', 'application/cbor'],
        parameters: [
          { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/A' } },
          { name: 'limit', in: 'query', type: 'integer', minimum: 1, description: 'How many.' },
        ],
        responses: {
          200: { description: 'OK', schema: { $ref: '#/definitions/A' } },
          401: { description: 'Unauthorized' },
          default: { $ref: '#/responses/problem' },
        },
        'x-kubernetes-action': 'post',
      },
      put: { parameters: [{ name: 'b', in: 'body', schema: {} }], responses: {} },
    },
  },
  parameters: { pretty: { name: 'pretty', in: 'query', type: 'string', uniqueItems: true } },
  responses: { problem: { description: 'Bad', schema: { type: 'string' } } },
  definitions: {
    A: {
      description: 'x',
      properties: {
        plain: { $ref: '#/definitions/B' },
        described: { description: 'd', $ref: '#/definitions/B' },
        many: { type: 'array', items: { $ref: '#/definitions/B' } },
        map: { additionalProperties: { description: 'm', $ref: '#/definitions/B' } },
      },
      'x-kubernetes-group-version-kind': [{ group: 'a', version: 'v1', kind: 'A' }],
    },
    B: { type: 'object' },
  },
};

const b = { $ref: '#/components/schemas/B' };
const a = { schema: { $ref: '#/components/schemas/A' } };

test('a document of version 2 as one of version 3', () => {
  const made = convertToV3(readSpecification(Buffer.from(JSON.stringify(document))));
  assert.deepEqual(made, {
    openapi: '3.0.0',
    info: { title: 'T', version: 'v1' },
    paths: {
      '/a': {
        parameters: [
          { name: 'pretty', in: 'query', schema: { type: 'string', uniqueItems: true } },
        ],
        post: {
          operationId: 'createA',
          tags: ['a'],
          parameters: [
            {
              name: 'limit',
              in: 'query',
              description: 'How many.',
              schema: { type: 'integer', minimum: 1 },
            },
          ],
          requestBody: { content: { 'application/json': a }, required: true },
          responses: {
            200: { description: 'OK', content: { 'application/json': a, 'application/cbor': a } },
            401: { description: 'Unauthorized' },
            default: {
              description: 'Bad',
              content: {
                'application/json': { schema: { type: 'string' } },
                'application/cbor': { schema: { type: 'string' } },
              },
            },
          },
          'x-kubernetes-action': 'post',
        },
        put: { requestBody: { content: { 'application/yaml': { schema: {} } } }, responses: {} },
      },
    },
    components: {
      schemas: {
        A: {
          description: 'x',
          properties: {
            plain: b,
            described: { description: 'd', allOf: [b] },
            many: { type: 'array', items: b },
            map: { additionalProperties: { description: 'm', allOf: [b] } },
          },
          'x-kubernetes-group-version-kind': [{ group: 'a', version: 'v1', kind: 'A' }],
        },
        B: { type: 'object' },
      },
    },
  });
});
