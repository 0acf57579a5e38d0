import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CustomResourceDefinition, JSONSchemaProps } from '@tributary/api/apiextensions-v1';
import { aggregateText, fieldErrorText } from '@tributary/apimachinery';
import type { ValidateContext } from '@tributary/server/validation';
import { openValidationThread } from '../../../../../server/src/validation/validation-thread.ts';
import { definitionOf } from '../../../../test/definition-fixture.ts';
import { isHeavy } from './definition-cost.ts';
import { definitionHooks } from './definition-hooks.ts';
import { validateDefinitionJob } from './definition-jobs.ts';
import { validationEntry } from './validation-entry.ts';

const text: JSONSchemaProps = { type: 'string' };

function many(count: number, field: JSONSchemaProps = text): Record<string, JSONSchemaProps> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, field]));
}

function specOf(properties: Record<string, JSONSchemaProps>): JSONSchemaProps {
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

const ruled = (...rules: readonly string[]): JSONSchemaProps => ({
  ...text,
  maxLength: 10,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});
const heavy = many(1_500);

describe('cost of validation:', () => {
  const cases = [
    { name: 'an empty schema', schema: { type: 'object' }, want: false },
    { name: 'some fields', schema: specOf(many(300)), want: false },
    { name: 'many fields', schema: specOf(heavy), want: true },
    { name: 'a few rules', schema: specOf(many(5, ruled('self != ""'))), want: false },
    { name: 'many rules', schema: specOf(many(20, ruled('self != ""'))), want: true },
    {
      name: 'a long rule',
      schema: specOf({ a: ruled(`self != "${'a'.repeat(2_000)}"`) }),
      want: true,
    },
    {
      name: 'a long description',
      schema: specOf({ a: { ...text, description: 'a'.repeat(50_000) } }),
      want: false,
    },
  ];
  for (const { name, schema, want } of cases) {
    test(name, () => assert.equal(isHeavy(definitionOf(schema).spec), want));
  }
});

describe('a definition that is validated in the thread', () => {
  let jobs = 0;
  const thread = openValidationThread({ entry: validationEntry });
  const context: ValidateContext = {
    cancellation: new AbortController(),
    thread: {
      ...thread,
      runJob: (...job) => {
        jobs += 1;
        return thread.runJob(...job);
      },
    },
  };
  before(() => {
    jobs = 0;
  });
  after(() => thread.close());

  /** Compares validation in the thread with validation on the event loop. */
  async function compared(next: CustomResourceDefinition, live?: CustomResourceDefinition) {
    const hooks = definitionHooks();
    const errors = await (live === undefined
      ? hooks.validate(next, context)
      : hooks.validateUpdate(next, live, context));
    const here = validateDefinitionJob({ next, live });
    assert.equal(aggregateText(errors), aggregateText(here.errors));
    assert.deepEqual(errors, here.errors);
    assert.deepEqual(hooks.warnings(next), here.warnings);
    return { errors: errors.map(fieldErrorText), warnings: hooks.warnings(next) };
  }

  const cases = [
    { name: 'is valid', field: text, errors: [], warnings: [] },
    {
      name: 'has an unrecognized format',
      field: { ...text, format: 'custom' },
      errors: [],
      warnings: ['unrecognized format "custom"'],
    },
    {
      name: 'has a set of lists',
      field: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: text },
      },
      errors: [],
      warnings: [
        'x-kubernetes-list-type: set for items of type "array" is not supported by server-side apply or CEL validation rules',
      ],
    },
    {
      name: 'has an invalid rule, printed as Go does',
      field: ruled('self > 1'),
      errors: [/Invalid value: \{"Rule":"self \\u003e 1",.*compilation failed/s],
      warnings: [],
    },
    {
      name: 'has a bad pattern',
      field: { ...text, pattern: '(' },
      errors: [/must be a valid regular expression/],
      warnings: [],
    },
  ];
  for (const { name, field, errors, warnings } of cases) {
    test(`that ${name}`, async () => {
      const before = jobs;
      const next = definitionOf(specOf({ ...heavy, custom: field }));
      const created = await compared(next);
      const live = definitionOf(specOf(heavy));
      const updated = await compared(structuredClone(next), live);
      assert.equal(jobs, before + 2);
      for (const found of [created, updated]) {
        assert.equal(found.errors.length, errors.length, String(found.errors));
        for (const [at, want] of errors.entries()) assert.match(found.errors[at] ?? '', want);
        assert.deepEqual(found.warnings, warnings);
      }
    });
  }

  test('with an unchanged spec is validated on the event loop', async () => {
    const before = jobs;
    const live = definitionOf(specOf({ ...heavy, custom: { ...text, format: 'custom' } }));
    const next = structuredClone(live);
    next.metadata.labels = { a: 'b' };
    assert.deepEqual(await compared(next, live), { errors: [], warnings: [] });
    const named = structuredClone(live);
    named.status.acceptedNames = { plural: 'Things', kind: 'Thing' };
    const { errors } = await compared(named, live);
    assert.match(errors[0] ?? '', /^status\.acceptedNames\.plural: Invalid value/);
    assert.equal(jobs, before);
  });

  test('is validated on the event loop without a thread', async () => {
    const found = await definitionHooks().validate(definitionOf(specOf(heavy)));
    assert.deepEqual(found, []);
  });
});
