import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuMs as cpuMsOf } from '../../../../test/harness/own-time.ts';
import {
  strategicMergePatchSchema as schema,
  strategicMergePatchCases,
} from '../../test/strategic-merge-patch-cases.ts';
import { mergePatch } from './merge-patch.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';
import { StrategicMergePatchError } from './strategic-merge-patch-error.ts';

for (const { name, original, patch, want, error } of strategicMergePatchCases) {
  test(name, () => {
    const before = structuredClone([original, patch]);
    if (error === undefined) {
      assert.deepEqual(strategicMergePatch(original, patch, schema), want);
    } else {
      const apply = () => strategicMergePatch(original, patch, schema);
      assert.throws(apply, { name: 'StrategicMergePatchError', message: error });
    }
    assert.deepEqual([original, patch], before, 'the arguments stay as they were');
  });
}

const own: { name: string; original: unknown; patch: unknown; want: unknown }[] = [
  {
    name: 'objects in a map are merged by the schema of its values',
    original: { counts: { a: { hosts: ['x'] } } },
    patch: { counts: { a: { hosts: ['y'] }, b: { hosts: ['z'] } } },
    want: { counts: { a: { hosts: ['y', 'x'] }, b: { hosts: ['z'] } } },
  },
  {
    name: 'without a schema, maps are merged and lists replaced',
    original: { open: { any: { a: 1, list: [1] } } },
    patch: { open: { any: { b: 2, list: [2] } } },
    want: { open: { any: { a: 1, b: 2, list: [2] } } },
  },
  {
    name: 'a key is removed before it is added, whatever the order in the patch',
    original: { scalars: ['a', 'b'] },
    patch: { scalars: ['a'], '$deleteFromPrimitiveList/scalars': ['a'] },
    want: { scalars: ['a', 'b'] },
  },
  {
    name: 'x-kubernetes-list-type says nothing',
    original: { typed: [{ name: 'a' }] },
    patch: { typed: [{ name: 'b' }] },
    want: { typed: [{ name: 'b' }] },
  },
];

for (const { name, original, patch, want } of own) {
  test(name, () => {
    const listType = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
    const typed = { items: {}, ...listType };
    const withTyped = { ...schema, properties: { ...schema.properties, typed } };
    assert.deepEqual(strategicMergePatch(original, patch, withTyped), want);
  });
}

const responses = [
  {
    name: 'an array',
    patch: [],
    code: 400,
    reason: 'BadRequest',
    shown: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
  },
  {
    name: 'a string',
    patch: 'a',
    code: 400,
    reason: 'BadRequest',
    shown: 'json: cannot unmarshal string into Go value of type map[string]interface {}',
  },
  {
    name: 'a bad removal',
    patch: { $deleteFromPrimitiveList: [] },
    code: 400,
    reason: 'BadRequest',
    shown: 'invalid patch format of primitive list',
  },
  {
    name: 'a bad order',
    patch: { $setElementOrder: [] },
    code: 400,
    reason: 'BadRequest',
    shown: 'invalid patch format of setElementOrder list',
  },
  {
    name: 'bad keys to retain',
    patch: { $retainKeys: 1 },
    code: 400,
    reason: 'BadRequest',
    shown: 'invalid patch format of retainKeys',
  },
  {
    name: 'lists in a set',
    patch: { scalars: [['b']] },
    code: 422,
    reason: 'Invalid',
    shown: 'the server rejected our request due to an error in our request',
  },
  {
    name: 'a missing key',
    patch: { items: [{}] },
    code: 500,
    reason: undefined,
    shown: 'map: map[] does not contain declared merge key: name',
  },
];

for (const { name, patch, code, reason, shown } of responses) {
  test(`${name} returns ${code}`, () => {
    try {
      strategicMergePatch({ scalars: [], items: [{ name: 'a' }] }, patch, schema);
    } catch (error) {
      assert.ok(error instanceof StrategicMergePatchError);
      const status = error.toStatusError();
      assert.deepEqual([status.code, status.reason, status.message], [code, reason, shown]);
      return;
    }
    assert.fail('nothing was thrown');
  });
}

test('__proto__ is data', () => {
  const patch = JSON.parse('{"spec":{"map":{"__proto__":"b"}},"__proto__":{"polluted":true}}');
  const original = JSON.parse('{"spec":{"map":{"__proto__":"a"}}}');
  const patched = strategicMergePatch(original, patch, schema);
  assert.equal(JSON.stringify(patched), JSON.stringify(patch));
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('deep documents are patched', () => {
  const deep = (leaf: string, depth = 9_000) =>
    JSON.parse(`${'{"a":'.repeat(depth)}${leaf}${'}'.repeat(depth)}`);
  const open = { additionalProperties: true };
  const patched = strategicMergePatch(deep('{"b":1}'), deep('{"c":2,"d":null}'), open);
  let leaf = patched as { a?: object };
  for (; leaf.a !== undefined; leaf = leaf.a);
  assert.deepEqual(leaf, { b: 1, c: 2 });
});

test('30,000 elements are merged and ordered in less than quadratic time', () => {
  const names = Array.from({ length: 30_000 }, (_, at) => `n${at}`);
  const original = { items: names.map((name) => ({ name, value: 1 })), scalars: names };
  const reversed = names.toReversed();
  const patch = {
    items: reversed.map((name) => ({ name, value: 2 })),
    '$setElementOrder/items': reversed.map((name) => ({ name })),
    scalars: reversed,
    '$setElementOrder/scalars': reversed,
  };
  let patched = original;
  const cpuMs = cpuMsOf(() => {
    patched = strategicMergePatch(original, patch, schema) as typeof original;
  });
  // Measured: 0.3 s. A scan of the list for each element takes more than 15 s.
  assert.ok(cpuMs < 5000, `${cpuMs} ms`);
  assert.deepEqual(patched.scalars, reversed);
  assert.deepEqual(patched.items[0], { name: 'n29999', value: 2 });
});

/** With the prototype of other objects, so that results can be compared with copies. */
const plain = { noNullPrototype: true };
const name = fc.constantFrom('a', 'b', 'c', 'd');
const names = fc.uniqueArray(name, { maxLength: 4 });
const items = fc.uniqueArray(fc.record({ name, value: fc.nat(3) }, plain), {
  selector: (one) => one.name,
});
const map = fc.dictionary(name, name, plain);
const documents = fc.record(
  {
    name,
    scalars: names,
    replaced: names,
    items,
    plain: items,
    spec: fc.record({ name, map }, plain),
  },
  { requiredKeys: [], ...plain },
);

test('a patch without directives and lists is a JSON merge patch', () => {
  const maps = fc.record(
    { name, spec: fc.record({ name, map }, { requiredKeys: [], ...plain }) },
    plain,
  );
  fc.assert(
    fc.property(maps, maps, (original, patch) => {
      assert.deepEqual(strategicMergePatch(original, patch, schema), mergePatch(original, patch));
    }),
  );
});

test('a repeated patch changes nothing', () => {
  fc.assert(
    fc.property(documents, documents, (original, patch) => {
      const once = strategicMergePatch(original, patch, schema);
      assert.deepEqual(strategicMergePatch(once, patch, schema), once);
    }),
  );
});

test('$setElementOrder orders its elements, and no live element is lost', () => {
  const some = names.filter(({ length }) => length > 0);
  fc.assert(
    fc.property(some, some, (scalars, order) => {
      const patch = { '$setElementOrder/scalars': order, scalars: order };
      const patched = strategicMergePatch({ scalars }, patch, schema) as { scalars: string[] };
      const named = patched.scalars.filter((one) => (order as string[]).includes(one));
      assert.deepEqual(named, order);
      assert.deepEqual(new Set(patched.scalars), new Set([...scalars, ...order]));
    }),
  );
});

test('the result shares no values with the arguments', () => {
  fc.assert(
    fc.property(documents, documents, (original, patch) => {
      const patched = strategicMergePatch(original, patch, schema);
      const before = structuredClone([original, patch]);
      modifyDeep(patched);
      assert.deepEqual([original, patch], before);
    }),
  );
});

function modifyDeep(value: unknown): void {
  if (Array.isArray(value)) {
    value.forEach(modifyDeep);
    value.push('scribbled');
  } else if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(modifyDeep);
    Object.assign(value, { scribbled: true });
  }
}
