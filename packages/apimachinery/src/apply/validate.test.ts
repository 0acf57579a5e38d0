import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedType, validationFacts } from '../../test/apply-facts.ts';
import { schemaType } from './schema-type.ts';
import { deduced } from './type.ts';
import { TypedError } from './typed-error.ts';
import { requireTyped } from './validate.ts';

for (const { name, schema, value, allowDuplicates = false, error } of validationFacts) {
  test(`validation of ${schema}: ${name}`, () => {
    assert.equal(problemOf(value, schema, allowDuplicates), error);
  });
}

function problemOf(value: unknown, schema: string, allowDuplicates: boolean): string | null {
  try {
    requireTyped(value, namedType(schema), { allowDuplicates });
    return null;
  } catch (error) {
    assert.ok(error instanceof TypedError, String(error));
    return error.message;
  }
}

test('a broken document makes no long answer', () => {
  const type = schemaType({ type: 'array', items: { type: 'string' } });
  const broken = Array.from({ length: 10_000 }, () => 5);
  assert.throws(
    () => requireTyped(broken, type, { allowDuplicates: false }),
    (error) => {
      assert.ok(error instanceof TypedError);
      return error.problems.length === 100;
    },
  );
});

test('a long value is not printed whole', () => {
  const type = schemaType({ type: 'object', properties: { a: { type: 'boolean' } } });
  const value = { a: 'x'.repeat(100_000) };
  assert.throws(
    () => requireTyped(value, type, { allowDuplicates: false }),
    (error) => {
      return (error as Error).message.length < 11_000;
    },
  );
});

test('what has no schema may be anything', () => {
  const anything = { a: [{ b: null }, [1]], c: { d: { e: true } } };
  requireTyped(anything, deduced, { allowDuplicates: false });
});

test('parts of a value that fits are not looked at again, others are', () => {
  const type = namedType('struct');
  const [good, bad] = [{ x: 'text' }, { x: 1 }];
  const check = (value: unknown, fitting: unknown) =>
    requireTyped(value, type, { allowDuplicates: true, fitting });
  check({ inner: good }, { inner: good });
  check({ inner: bad }, { inner: bad });
  assert.throws(() => check({ inner: { x: 2 } }, { inner: bad }));
  assert.throws(() => check({ inner: bad }, { inner: good }));
  assert.throws(() => check({ inner: bad }, undefined));
});
