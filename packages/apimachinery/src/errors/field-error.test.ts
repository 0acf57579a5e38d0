import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aggregateText,
  aggregateTexts,
  declarative,
  type FieldError,
  fieldError,
  fieldErrorBody,
  fieldErrorText,
  withoutRepeats,
} from './field-error.ts';
import { root } from './field-path.ts';

const path = root('spec').child('list').index(0).child('name');
const field = 'spec.list[0].name';

const paths = [
  { name: 'a root', path: root('spec'), want: 'spec' },
  { name: 'a root of two names', path: root('spec', 'list'), want: 'spec.list' },
  { name: 'an index', path: root('a').index(3).index(0), want: 'a[3][0]' },
  {
    name: 'a key',
    path: root('metadata', 'annotations').key('x/y'),
    want: 'metadata.annotations[x/y]',
  },
  { name: 'children of an index', path, want: field },
  { name: 'several names at once', path: root('a').child('b', 'c'), want: 'a.b.c' },
];
for (const { name, path: built, want } of paths) {
  test(`a path: ${name}`, () => assert.equal(built.toString(), want));
}

const errors: { name: string; error: FieldError; reason: string; want: string }[] = [
  {
    name: 'required',
    error: fieldError.required(path),
    reason: 'FieldValueRequired',
    want: 'Required value',
  },
  {
    name: 'required with a detail',
    error: fieldError.required(path, 'why'),
    reason: 'FieldValueRequired',
    want: 'Required value: why',
  },
  {
    name: 'forbidden',
    error: fieldError.forbidden(path, 'why'),
    reason: 'FieldValueForbidden',
    want: 'Forbidden: why',
  },
  {
    name: 'invalid',
    error: fieldError.invalid(path, 'x"', 'why'),
    reason: 'FieldValueInvalid',
    want: 'Invalid value: "x\\"": why',
  },
  {
    name: 'invalid null',
    error: fieldError.invalid(path, null, 'why'),
    reason: 'FieldValueInvalid',
    want: 'Invalid value: null: why',
  },
  {
    name: 'the wrong type',
    error: fieldError.typeInvalid(path, 5, 'must be a string'),
    reason: 'FieldValueTypeInvalid',
    want: 'Invalid value: 5: must be a string',
  },
  {
    name: 'duplicate',
    error: fieldError.duplicate(path, 'x'),
    reason: 'FieldValueDuplicate',
    want: 'Duplicate value: "x"',
  },
  {
    name: 'not found',
    error: fieldError.notFound(path, 'x'),
    reason: 'FieldValueNotFound',
    want: 'Not found: "x"',
  },
  {
    name: 'not supported',
    error: fieldError.notSupported(path, 'x', ['b', 'a']),
    reason: 'FieldValueNotSupported',
    want: 'Unsupported value: "x": supported values: "b", "a"',
  },
  {
    name: 'nothing is supported',
    error: fieldError.notSupported(path, 'x', []),
    reason: 'FieldValueNotSupported',
    want: 'Unsupported value: "x"',
  },
  {
    name: 'too long',
    error: fieldError.tooLong(path, 10),
    reason: 'FieldValueTooLong',
    want: 'Too long: may not be more than 10 bytes',
  },
  {
    name: 'too long by one',
    error: fieldError.tooLong(path, 1),
    reason: 'FieldValueTooLong',
    want: 'Too long: may not be more than 1 byte',
  },
  {
    name: 'too long in characters',
    error: fieldError.tooLongCharacters(path, 10),
    reason: 'FieldValueTooLong',
    want: 'Too long: may not be more than 10 characters',
  },
  {
    name: 'too short',
    error: fieldError.tooShort(path, 1),
    reason: 'FieldValueTooShort',
    want: 'Too short: must be at least 1 character',
  },
  {
    name: 'too many',
    error: fieldError.tooMany(path, 5, 3),
    reason: 'FieldValueTooMany',
    want: 'Too many: 5: must have at most 3 items',
  },
  {
    name: 'too few',
    error: fieldError.tooFew(path, 0, 1),
    reason: 'FieldValueTooFew',
    want: 'Too few: 0: must have at least 1 item',
  },
  {
    name: 'internal',
    error: fieldError.internal(path, new Error('broken')),
    reason: 'InternalError',
    want: 'Internal error: broken',
  },
];
for (const { name, error, reason, want } of errors) {
  test(`a field error: ${name}`, () => {
    assert.equal(error.type, reason);
    assert.equal(error.field, field);
    assert.equal(fieldErrorBody(error), want);
    assert.equal(fieldErrorText(error), `${field}: ${want}`);
  });
}

test('an undefined path prints as nil', () => {
  assert.equal(
    fieldErrorText(fieldError.invalid(undefined, 'x', 'why')),
    '<nil>: Invalid value: "x": why',
  );
});

const first = fieldError.required(root('a'));
const second = fieldError.required(root('b'));
const aggregates = [
  { name: 'one error has no brackets', errors: [first], want: 'a: Required value' },
  {
    name: 'several errors have brackets',
    errors: [first, second],
    want: '[a: Required value, b: Required value]',
  },
  {
    name: 'equal errors are printed once',
    errors: [first, second, first],
    want: '[a: Required value, b: Required value]',
  },
  { name: 'only equal errors have no brackets', errors: [first, first], want: 'a: Required value' },
];
for (const { name, errors: list, want } of aggregates) {
  test(`an aggregate: ${name}`, () => assert.equal(aggregateText(list), want));
}

test('repeated errors are removed, unless declarative validation reports them', () => {
  const again = declarative(first);
  assert.deepEqual(withoutRepeats([first, second, first, again]), [first, second, again]);
});

test('plain messages are aggregated in the same way', () => {
  assert.equal(aggregateTexts(['x', 'y', 'x']), '[x, y]');
});
