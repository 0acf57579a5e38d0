import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeFieldValue, FieldSelector, parseFieldSelector } from './field-selector.ts';

/** Characters below the surrogates, which UTF-8 cannot encode. */
const anyCharacter = fc.nat(0xd7ff).map((code) => String.fromCharCode(code));

function parsed(text: string): string {
  const result = parseFieldSelector(text);
  return result.ok ? result.selector.toString() : `error: ${result.message}`;
}

function selector(text: string): FieldSelector {
  const result = parseFieldSelector(text);
  assert.ok(result.ok);
  return result.selector;
}

const texts = [
  { name: 'nothing selects everything', input: '', want: '' },
  { name: 'equal', input: 'metadata.name=a', want: 'metadata.name=a' },
  { name: 'double equal', input: 'metadata.name==a', want: 'metadata.name=a' },
  { name: 'not equal', input: 'metadata.name!=a', want: 'metadata.name!=a' },
  { name: 'several, sorted', input: 'b=2,a=1', want: 'a=1,b=2' },
  { name: 'an empty value', input: 'a=', want: 'a=' },
  { name: 'an empty field', input: '=a', want: '=a' },
  { name: 'neither field nor value', input: '=', want: '' },
  { name: 'empty terms are skipped', input: ',a=1,,', want: 'a=1' },
  { name: 'an escaped comma', input: 'a=b\\,c', want: 'a=b\\,c' },
  { name: 'an escaped equals sign', input: 'a=b\\=c', want: 'a=b\\=c' },
  { name: 'an escaped backslash', input: 'a=b\\\\c', want: 'a=b\\\\c' },
  { name: 'white space is part of the text', input: ' a = b ', want: ' a = b ' },
  {
    name: 'no operator',
    input: 'metadata.name',
    want: "error: invalid selector: 'metadata.name'; can't understand 'metadata.name'",
  },
  {
    name: 'no operator in the second term',
    input: 'a=1,b',
    want: "error: invalid selector: 'a=1,b'; can't understand 'b'",
  },
  {
    name: 'an unescaped equals sign',
    input: 'a=b=c',
    want: 'error: invalid field selector: unescaped character in value: 61',
  },
  {
    name: 'an unknown escape',
    input: 'a=b\\x',
    want: 'error: invalid field selector: invalid escape sequence: \\x',
  },
  {
    name: 'a backslash at the end',
    input: 'a=b\\',
    want: 'error: invalid field selector: invalid escape sequence: \\',
  },
  { name: 'a negation is part of the field', input: '!a=b', want: '!a=b' },
  {
    name: 'three equals signs',
    input: 'a===b',
    want: 'error: invalid field selector: unescaped character in value: 61',
  },
  { name: 'beyond ASCII', input: 'a=é\u4e16', want: 'a=é\u4e16' },
];
for (const { name, input, want } of texts) {
  test(`parse: ${name}`, () => assert.equal(parsed(input), want));
}

const object = { 'metadata.name': 'a', 'metadata.namespace': '' };
const matches = [
  { name: 'everything', input: '', want: true },
  { name: 'equal', input: 'metadata.name=a', want: true },
  { name: 'another value', input: 'metadata.name=b', want: false },
  { name: 'not equal', input: 'metadata.name!=b', want: true },
  { name: 'all must hold', input: 'metadata.name=a,metadata.namespace=x', want: false },
  { name: 'an absent field is empty', input: 'spec.x=', want: true },
  { name: 'an absent field has no value', input: 'spec.x=1', want: false },
  { name: 'inherited members of objects are not fields', input: 'constructor=', want: true },
];
for (const { name, input, want } of matches) {
  test(`match: ${name}`, () => assert.equal(selector(input).matches(object), want));
}

test('exactMatch returns the value of an equality, not of an inequality', () => {
  assert.equal(selector('a!=1,a=2').exactMatch('a'), '2');
  assert.equal(selector('a!=1').exactMatch('a'), undefined);
  assert.equal(selector('a=').exactMatch('a'), '');
  assert.equal(FieldSelector.everything.isEmpty, true);
});

test('a selector is translated term by term', () => {
  const translated = selector('a=1,b!=2').translate((field, value) =>
    field === 'b' ? { ok: true, field: '', value: '' } : { ok: true, field: `x.${field}`, value },
  );
  assert.ok(translated.ok);
  assert.equal(translated.selector.toString(), 'x.a=1');
});

test('a translation returns its first error', () => {
  const translated = selector('a=1,b=2').translate((field) => ({
    ok: false,
    message: `no ${field}`,
  }));
  assert.deepEqual(translated, { ok: false, message: 'no a' });
});

test('every value survives escaping and parsing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (value) => {
      assert.equal(selector(`a=${escapeFieldValue(value)}`).exactMatch('a'), value);
    }),
  );
});

test('the canonical text parses to the same selector', () => {
  const terms = fc.array(
    fc.tuple(fc.constantFrom('a', 'b.c'), fc.constantFrom('=', '!='), fc.string()),
  );
  fc.assert(
    fc.property(terms, (list) => {
      const text = list.map(
        ([field, operator, value]) => `${field}${operator}${escapeFieldValue(value)}`,
      );
      const first = selector(text.join(','));
      assert.deepEqual(selector(first.toString()).requirements, first.requirements);
    }),
  );
});
