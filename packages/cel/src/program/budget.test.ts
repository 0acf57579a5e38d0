import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetesLibraries } from '../library/kubernetes.ts';
import type { Schema } from '../schema/schema.ts';
import { objectDeclarations, schemaType } from '../schema/schema-type.ts';
import { typedValue } from '../schema/typed-value.ts';
import { compile, PER_CALL_COST_LIMIT } from './compile.ts';
import { createEnvironment, extendEnvironment } from './environment.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'string' } },
    deep: {
      type: 'array',
      items: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    text: { type: 'string' },
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    free: { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const self = schemaType(schema, 'selfType');
assert.ok(self !== undefined);
const environment = extendEnvironment(createEnvironment({ libraries: kubernetesLibraries() }), {
  variables: { self: self.type },
  types: objectDeclarations(self),
});
const count = 1000;
const value = typedValue(
  {
    list: Array.from({ length: count }, (_, index) => `item-${index}`),
    deep: [Array.from({ length: count }, (_, index) => [index, index + 0.5])],
    map: Object.fromEntries(Array.from({ length: count }, (_, index) => [`key-${index}`, 'x'])),
    text: 'é'.repeat(100_000),
    set: Array.from({ length: count }, (_, index) => `member-${index}`),
    free: { unknown: Array.from({ length: count }, (_, index) => ({ index })) },
  },
  schema,
);

/**
 * The aim is 50 ms. CPU time of a process that shares two cores and is still being optimized is several
 * times that; an evaluation that is not stopped takes minutes.
 */
const CPU_MS_MAX = 1000;

const burning = [
  'self.list.all(x, self.list.all(y, (self.set + self.set).size() > 0))',
  'self.list.all(x, self.list.all(y, self.set == self.set))',
  'self.list.all(x, self.list.all(y, self.free == self.free))',
  'self.list.all(x, self.list.all(y, self.list.all(z, x != y || y != z || true)))',
  'self.list.map(x, self.list.map(y, self.list.map(z, x + y + z))).size() > 0',
  'self.list.all(x, self.list.all(y, self.list[5000] == x || true))',
  'self.list.all(x, self.list.all(y, self.deep == self.deep))',
  'self.list.all(x, self.list.all(y, size(self.text) > 0))',
  'self.list.all(x, self.list.all(y, self.text.contains(x + y) || true))',
  'self.list.all(x, self.list.all(y, self.text.matches("(é|e)*$")))',
  'self.map.all(x, self.map.all(y, self.map.exists(z, true)))',
  'self.list.all(x, self.list.all(y, x in self.list))',
  'self.list.all(x, [self.list, self.list].all(l, l.map(a, a + self.text).size() > 0))',
  'self.list.transformMap(i, v, self.list.transformMap(j, w, v + w)).size() > 0',
];

for (const expression of burning) {
  test(`stopped: ${expression}`, () => {
    const compiled = compile(environment, expression);
    assert.ok(compiled.ok);
    const before = process.cpuUsage();
    const result = compiled.program.evaluate(new Map([['self', value]]));
    const { user, system } = process.cpuUsage(before);
    assert.equal(result.outcome, 'exceeded');
    assert.equal(
      result.outcome === 'exceeded' && result.message,
      'operation cancelled: actual cost limit exceeded',
    );
    assert.ok((user + system) / 1000 < CPU_MS_MAX, `${(user + system) / 1000} ms`);
  });
}

test("the limit is the caller's, and what fits is not stopped", () => {
  const compiled = compile(environment, 'self.list.all(x, x != "")');
  assert.ok(compiled.ok);
  const variables = new Map([['self', value]]);
  const free = compiled.program.evaluate(variables);
  assert.equal(free.outcome, 'value');
  assert.ok(free.cost < PER_CALL_COST_LIMIT);
  const exact = compiled.program.evaluate(variables, { costLimit: free.cost });
  assert.equal(exact.outcome, 'value');
  const short = compiled.program.evaluate(variables, { costLimit: free.cost - 1 });
  assert.equal(short.outcome, 'exceeded');
});

test('nothing absorbs a spent budget', () => {
  const compiled = compile(
    environment,
    'self.list.all(x, self.list.all(y, x != y || true)) || true',
  );
  assert.ok(compiled.ok);
  assert.equal(compiled.program.evaluate(new Map([['self', value]])).outcome, 'exceeded');
});
