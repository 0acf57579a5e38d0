import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { definitionOf } from '../../../../test/definition-fixture.ts';
import type { JSONSchemaProps } from '../../../generated/apiextensions-v1.ts';
import { caBundleError } from '../ca-bundle.ts';
import { validateDefinition, validateDefinitionUpdate } from '../validate-definition.ts';

const BYTES_MIN = 400_000;
/** Of the thread's own time, since others may have the machine; the first run is that of a program that has just begun. */
const FIRST_MS_MAX = 600;
const LATER_MS_MAX = 50;

describe('a definition of half a megabyte does not hold up others', () => {
  const cases: Readonly<Record<string, JSONSchemaProps>> = {
    'with words': tree(4, 'What the field is for, and what happens without it. '.repeat(4)),
    'with fields only': tree(5, ''),
  };
  for (const [name, schema] of Object.entries(cases)) {
    test(name, () => {
      const large = definitionOf({ type: 'object', properties: { spec: schema } });
      assert.ok(JSON.stringify(large).length > BYTES_MIN);
      const changed = definitionOf({
        type: 'object',
        properties: { spec: schema, x: { type: 'string' } },
      });
      assert.ok(thread(() => assert.deepEqual(validateDefinition(large), [])) < FIRST_MS_MAX);
      const later = [1, 2, 3, 4, 5].map(() => thread(() => validateDefinition(large)));
      assert.ok(Math.min(...later) < LATER_MS_MAX, String(later));
      const updates = [1, 2, 3].map(() => thread(() => validateDefinitionUpdate(changed, large)));
      assert.ok(Math.min(...updates) < LATER_MS_MAX, String(updates));
    });
  }
});

describe('a definition that is made to take long does not', () => {
  const bound = 3_000; // Work that grows with the square would take minutes.
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
    'the same mistake many times': { schema: fields(() => ({ type: 'array' })), errors: 100 },
    'mistakes at every depth': { schema: nested(450, { type: 'object' }, {}), errors: 100 },
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
    'many keys of a list': {
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
      const took = thread(() => {
        found = validateDefinition(definitionOf(schema)).length;
      });
      assert.equal(found, errors);
      assert.ok(took < bound, String(took));
    });
  }

  test('a bundle of many beginnings', () => {
    const text = '-----BEGIN CERTIFICATE-----\n'.repeat(50_000);
    const ended = `${text}-----END CERTIFICATE-----\n`.repeat(2);
    for (const bundle of [text, ended]) {
      const encoded = Buffer.from(bundle).toString('base64');
      assert.ok(thread(() => assert.ok(caBundleError(encoded))) < bound);
    }
  });
});

/** Milliseconds of work of this thread. */
function thread(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

function tree(depth: number, description: string): JSONSchemaProps {
  const words = description === '' ? {} : { description };
  const properties: Record<string, JSONSchemaProps> = {
    first: { type: 'string', maxLength: 253, minLength: 1, ...words },
    name: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', maxLength: 63, ...words },
    count: { type: 'integer', minimum: 0, default: 1, ...words },
  };
  for (let at = 0; at < 4; at += 1) properties[`text${at}`] = { type: 'string', ...words };
  for (let at = 0; depth > 0 && at < 4; at += 1) {
    const inner = tree(depth - 1, description);
    properties[`part${at}`] = at % 2 === 0 ? inner : { type: 'array', items: inner };
  }
  return { type: 'object', properties, required: ['name'], ...words };
}
