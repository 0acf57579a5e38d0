import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { cpuMs } from '../../../../../../test/harness/own-time.ts';
import { definitionOf } from '../../../../test/definition-fixture.ts';
import { caBundleError } from '../ca-bundle.ts';
import { validateDefinition } from '../validate-definition.ts';

/** Quadratic work would take minutes. */
const BOUND_MS = 5_000;

describe('validation time is bounded for', () => {
  const many = <Value>(make: (at: number) => Value, count = 20_000) =>
    Array.from({ length: count }, (_, at) => make(at));
  const nested = (depth: number, inner: JSONSchemaProps, outer: JSONSchemaProps) =>
    many((at) => at, depth).reduce<JSONSchemaProps>(
      (schema) => ({ ...outer, properties: { a: schema } }),
      inner,
    );
  const fields = (make: (at: number) => JSONSchemaProps): JSONSchemaProps => ({
    type: 'object',
    properties: Object.fromEntries(many((at) => [`f${at}`, make(at)])),
  });
  const cases: Readonly<Record<string, { schema: JSONSchemaProps; errors: number }>> = {
    'the same error many times': { schema: fields(() => ({ type: 'array' })), errors: 100 },
    'errors at every depth': { schema: nested(450, { type: 'object' }, {}), errors: 100 },
    'many bad defaults': { schema: fields(() => ({ type: 'string', default: 5 })), errors: 100 },
    'defaults around defaults': {
      schema: {
        type: 'object',
        properties: {
          spec: nested(
            300,
            fields(() => ({ type: 'string' })),
            { type: 'object', default: {} },
          ),
        },
      },
      errors: 0,
    },
    'many list map keys': {
      schema: {
        type: 'object',
        properties: {
          a: {
            type: 'array',
            items: { type: 'object' },
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': many((at) => `k${at}`),
          },
        },
      },
      errors: 1,
    },
  };
  for (const [name, { schema, errors }] of Object.entries(cases)) {
    test(name, () => {
      let found = 0;
      const usedMs = cpuMs(() => {
        found = validateDefinition(definitionOf(schema)).length;
      });
      assert.equal(found, errors);
      assert.ok(usedMs < BOUND_MS, `${usedMs} ms`);
    });
  }

  test('a CA bundle with many BEGIN lines', () => {
    const text = '-----BEGIN CERTIFICATE-----\n'.repeat(50_000);
    const ended = `${text}-----END CERTIFICATE-----\n`.repeat(2);
    for (const bundle of [text, ended]) {
      const encoded = Buffer.from(bundle).toString('base64');
      const usedMs = cpuMs(() => assert.ok(caBundleError(encoded)));
      assert.ok(usedMs < BOUND_MS, `${usedMs} ms`);
    }
  });
});
