import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONAL_LIBRARY } from '../library/standard-optional.ts';
import { compile } from '../program/compile.ts';
import { createEnvironment, extendEnvironment } from '../program/environment.ts';
import { formatType } from '../values/type-format.ts';
import type { Schema } from './schema.ts';
import { maxCardinality, objectDeclarations, schemaType, sizesOf } from './schema-type.ts';

const types: readonly (readonly [schema: Schema, type: string | undefined, elements: number])[] = [
  [{ type: 'integer' }, 'int', 0],
  [{ type: 'number' }, 'double', 0],
  [{ type: 'boolean' }, 'bool', 0],
  [{ type: 'string' }, 'string', 3_145_726],
  [{ type: 'string', maxLength: 10 }, 'string', 40],
  [{ type: 'string', enum: ['a', 'four'] }, 'string', 4],
  [{ type: 'string', format: 'byte' }, 'bytes', 3_145_726],
  [{ type: 'string', format: 'date-time' }, 'timestamp', 32],
  [{ type: 'string', format: 'date' }, 'timestamp', 12],
  [{ type: 'string', format: 'duration' }, 'duration', 32],
  [{ type: 'array', items: { type: 'string' } }, 'list(string)', 1_048_575],
  [{ type: 'array', items: { type: 'string' }, maxItems: 5 }, 'list(string)', 5],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map(string, int)', 449_389],
  [{ type: 'object' }, 'self', 0],
  [{ 'x-kubernetes-int-or-string': true }, 'dyn', 3_145_726],
  [{ 'x-kubernetes-preserve-unknown-fields': true }, undefined, 0],
  [{ type: 'array', items: {} }, undefined, 0],
];

for (const [schema, type, elements] of types) {
  test(`type of ${JSON.stringify(schema)}`, () => {
    const found = schemaType(schema, 'self');
    assert.equal(found && formatType(found.type), type);
    assert.equal(found?.maxElements ?? 0, elements);
  });
}

const schema: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 10 },
    namespace: { type: 'string' },
    items: {
      type: 'array',
      maxItems: 10,
      items: { type: 'object', properties: { key: { type: 'string', maxLength: 5 } } },
    },
    pod: { type: 'object', 'x-kubernetes-embedded-resource': true },
    other: { type: 'string' },
  },
};
const root = schemaType(schema, 'selfType');
assert.ok(root !== undefined);
const environment = extendEnvironment(createEnvironment({ libraries: [OPTIONAL_LIBRARY] }), {
  variables: { self: root.type, oldSelf: root.type },
  types: objectDeclarations(root),
  sizes: sizesOf(root),
});

// Recorded from upstream for the same schema.
const estimates: readonly (readonly [expression: string, min: bigint, max: bigint])[] = [
  ['self.name == "x"', 3n, 3n],
  ['has(self.name)', 1n, 1n],
  ['self.items.all(i, i.key != "")', 3n, 53n],
  ['self.name == oldSelf.name', 5n, 8n],
  ['self.name.contains(self.other)', 4n, 1_258_296n],
  ['self.pod.metadata.name == "p"', 5n, 5n],
];

for (const [expression, min, max] of estimates) {
  test(`estimate of ${expression}`, () => {
    const compiled = compile(environment, expression);
    assert.ok(compiled.ok, 'text' in compiled ? compiled.text : '');
    assert.deepEqual(compiled.program.estimatedCost, { min, max });
  });
}

test('fields are those of the schema, reserved words also without their escape', () => {
  const messageOf = (text: string) => {
    const compiled = compile(environment, text);
    return compiled.ok || !('text' in compiled) ? 'compiles' : compiled.issues[0]?.message;
  };
  assert.equal(messageOf('self.namespace == self.__namespace__'), 'compiles');
  assert.equal(messageOf('self.nothing'), "undefined field 'nothing'");
  assert.equal(messageOf('self.constructor'), "undefined field 'constructor'");
  assert.equal(messageOf('self.items[0].nothing'), "undefined field 'nothing'");
  assert.equal(messageOf('self.pod.metadata.labels'), "undefined field 'labels'");
  assert.equal(messageOf('self.pod.kind + self.pod.metadata.generateName'), 'compiles');
});

test('data that is small can occur often', () => {
  assert.equal(maxCardinality(root), Math.floor((3 * 1024 * 1024) / (2 + 4 + 2 + 4 + 1)));
});
