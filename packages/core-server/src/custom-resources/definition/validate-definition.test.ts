/**
 * interop/core/rows/custom-resource-definitions*.ts compare responses with a real server; these tests cover what no row
 * can.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CustomResourceDefinition, JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { fieldErrorText } from '@tributary/apimachinery';
import { definition, definitionOf, definitionVersion } from '../../../test/definition-fixture.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts';

const texts = (next: CustomResourceDefinition, live?: CustomResourceDefinition) =>
  (live === undefined ? validateDefinition(next) : validateDefinitionUpdate(next, live)).map(
    fieldErrorText,
  );

const withField = (x: JSONSchemaProps): JSONSchemaProps => ({
  type: 'object',
  properties: { x, y: { type: 'string' } },
});
const established = (one: CustomResourceDefinition): CustomResourceDefinition => ({
  ...one,
  status: {
    ...one.status,
    conditions: [{ type: 'Established', status: 'True', lastTransitionTime: null }],
  },
});

describe('ratcheting accepts unchanged errors:', () => {
  // No current server accepts these schemas, but older ones stored them.
  const cases: { name: string; schema: JSONSchemaProps; error: string }[] = [
    {
      name: 'an unknown type',
      schema: withField({ type: 'text' }),
      error: 'Unsupported value: "text"',
    },
    {
      name: 'a set of objects',
      schema: withField({
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } } },
        'x-kubernetes-list-type': 'set',
      }),
      error: 'must be atomic as item of a list',
    },
    {
      name: 'a set of nullable items',
      schema: withField({
        type: 'array',
        items: { type: 'string', nullable: true },
        'x-kubernetes-list-type': 'set',
      }),
      error: 'cannot be nullable when x-kubernetes-list-type is set',
    },
    {
      name: 'a default with unknown fields',
      schema: withField({
        type: 'object',
        properties: { a: { type: 'string' } },
        default: { a: 'b', z: 1 },
      }),
      error: 'must not have unknown fields',
    },
  ];
  for (const { name, schema, error } of cases) {
    const changed = { ...schema, description: 'changed' };
    test(name, () => {
      const [found, ...others] = texts(definitionOf(changed));
      assert.deepEqual(others, []);
      assert.ok(found?.includes(error), found);
      assert.deepEqual(texts(definitionOf(changed), definitionOf(schema)), []);
      const sound = definitionOf(withField({ type: 'string' }));
      assert.deepEqual(texts(definitionOf(changed), sound), [found]);
    });
  }

  test('a schema that is not structural, with preserveUnknownFields', () => {
    const preserving = (schema: JSONSchemaProps): CustomResourceDefinition => {
      const one = definitionOf(schema);
      return { ...one, spec: { ...one.spec, preserveUnknownFields: true } };
    };
    const before = preserving({ properties: { x: {} } });
    const after = preserving({ properties: { x: {}, y: {} } });
    assert.deepEqual(texts(after, before), []);
    const pruning = { ...after, spec: { ...after.spec, preserveUnknownFields: false } };
    assert.ok(texts(pruning, before).length > 0);
    const extended = preserving({
      properties: { x: { 'x-kubernetes-int-or-string': true }, y: {} },
    });
    assert.ok(texts(extended, before).length > 0);
  });

  test('versions without a schema, with preserveUnknownFields', () => {
    const { schema: _schema, ...bare } = definitionVersion();
    const before = definition({ preserveUnknownFields: true, versions: [bare] });
    const after = definition({
      preserveUnknownFields: true,
      versions: [bare, { ...bare, name: 'v2', storage: false }],
    });
    assert.deepEqual(texts(after, before), []);
    const pruning = definition({ preserveUnknownFields: false, versions: [bare] });
    assert.deepEqual(texts(pruning, before), [
      'spec.versions[0].schema.openAPIV3Schema: Required value: because otherwise all fields are pruned',
    ]);
  });

  test('too many selectable fields', () => {
    const names = Array.from({ length: 9 }, (_, index) => `f${index}`);
    const version = definitionVersion({
      selectableFields: names.map((name) => ({ jsonPath: `.${name}` })),
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        },
      },
    });
    const before = definition({ versions: [version] });
    const after = definition({ versions: [{ ...version, deprecated: true }] });
    assert.equal(texts(after).length, 1);
    assert.deepEqual(texts(after, before), []);
  });

  test('unknown review versions and an invalid CA bundle', () => {
    const converting = (path: string): CustomResourceDefinition =>
      definition({
        conversion: {
          strategy: 'Webhook',
          webhook: {
            clientConfig: {
              service: { namespace: 'a', name: 'b', path, port: 443 },
              caBundle: 'bm90IFBFTQ==',
            },
            conversionReviewVersions: ['v7'],
          },
        },
      });
    const before = established(converting('/a'));
    assert.deepEqual(texts(established(converting('/b')), before), []);
    assert.equal(texts(established(converting('/b')), established(definition())).length, 2);
  });

  test('a root schema that conflicts with a new status subresource is rejected', () => {
    const schema: JSONSchemaProps = { type: 'object', maxProperties: 5 };
    const before = definitionOf(schema);
    const after = definition({
      versions: [
        definitionVersion({ schema: { openAPIV3Schema: schema }, subresources: { status: {} } }),
      ],
    });
    assert.deepEqual(texts(before, before), []);
    assert.equal(texts(after, before).length, 1);
  });
});

describe('names', () => {
  test('may change until the definition is established', () => {
    const other = definition({
      names: { plural: 'things', singular: 'o', kind: 'Other', listKind: 'OtherList' },
    });
    assert.deepEqual(texts(other, definition()), []);
    assert.deepEqual(texts(established(other), established(definition())), [
      'spec.names.kind: Invalid value: "Other": field is immutable',
    ]);
  });
});

describe('approval of a protected group', () => {
  const key = 'api-approved.kubernetes.io';
  const approved = (annotation?: string): CustomResourceDefinition => {
    const one = definition({ group: 'a.k8s.io' });
    const annotations = annotation === undefined ? {} : { [key]: annotation };
    return { ...one, metadata: { ...one.metadata, name: 'things.a.k8s.io', annotations } };
  };
  const cases = [
    { name: 'a URL', annotation: 'https://github.com/x/y/pull/1', errors: 0 },
    { name: 'unapproved', annotation: 'unapproved, trying', errors: 0 },
    { name: 'an invalid value', annotation: 'yes', errors: 1 },
    { name: 'missing', annotation: undefined, errors: 1 },
  ];
  for (const { name, annotation, errors } of cases) {
    test(name, () => {
      assert.equal(texts(approved(annotation)).length, errors);
      assert.deepEqual(texts(approved(annotation), approved(annotation)), []);
    });
  }

  test('cannot be removed', () => {
    assert.equal(texts(approved(), approved('unapproved')).length, 1);
  });
});

test('errors of several versions are reported for each', () => {
  const broken = (name: string, storage: boolean, type: string) =>
    definitionVersion({ name, storage, schema: { openAPIV3Schema: withField({ type }) } });
  const errors = texts(
    definition({ versions: [broken('v1', true, 'a'), broken('v2', false, 'b')] }),
  );
  assert.deepEqual(
    errors.map((text) => text.slice(0, text.indexOf(':'))),
    [0, 1].map((at) => `spec.versions[${at}].schema.openAPIV3Schema.properties[x].type`),
  );
});
