import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LabelSelector, labelSelectorFromSet, parseLabelSelector } from './label-selector.ts';

/** Characters below the surrogates, which UTF-8 cannot encode. */
const anyCharacter = fc.nat(0xd7ff).map((code) => String.fromCharCode(code));

function parsed(text: string): string {
  const result = parseLabelSelector(text);
  return result.ok ? result.selector.toString() : `error: ${result.message}`;
}

function selector(text: string): LabelSelector {
  const result = parseLabelSelector(text);
  assert.ok(result.ok);
  return result.selector;
}

const texts = [
  { name: 'nothing selects everything', input: '', want: '' },
  { name: 'white space only', input: ' \t', want: '' },
  { name: 'a key', input: 'a', want: 'a' },
  { name: 'a missing key', input: '!a', want: '!a' },
  { name: 'equal', input: 'a=b', want: 'a=b' },
  { name: 'double equal', input: 'a==b', want: 'a==b' },
  { name: 'not equal', input: 'a!=b', want: 'a!=b' },
  { name: 'an empty value', input: 'a=', want: 'a=' },
  { name: 'an empty value before a comma', input: 'a=,b', want: 'a=,b' },
  { name: 'in', input: 'a in (y,x)', want: 'a in (x,y)' },
  { name: 'in without spaces around the list', input: 'a in(x)', want: 'a in (x)' },
  { name: 'notin', input: 'a notin (x,y)', want: 'a notin (x,y)' },
  { name: 'values are sorted and unique', input: 'a in (c,a,b,a)', want: 'a in (a,b,c)' },
  { name: 'an empty list is the empty value', input: 'a in ()', want: 'a in ()' },
  { name: 'a comma alone', input: 'a in (,)', want: 'a in ()' },
  { name: 'an empty value between', input: 'a in (x,,y)', want: 'a in (,x,y)' },
  { name: 'greater', input: 'a>5', want: 'a>5' },
  { name: 'less', input: 'a<5', want: 'a<5' },
  { name: 'white space is ignored', input: ' a  =\tb ,  c ', want: 'a=b,c' },
  { name: 'requirements are sorted by key', input: 'c,b=1,a!=2', want: 'a!=2,b=1,c' },
  { name: 'keywords as keys', input: 'in in (in,notin)', want: 'in in (in,notin)' },
  { name: 'a keyword as a value', input: 'a=notin', want: 'a=notin' },
  { name: 'a prefixed key', input: 'example.com/app=web', want: 'example.com/app=web' },
  {
    name: 'a comma at the end',
    input: 'a=b,',
    want: "error: found '', expected: identifier after ','",
  },
  {
    name: 'a comma at the start',
    input: ',a',
    want: "error: found ',', expected: !, identifier, or 'end of string'",
  },
  {
    name: 'two values',
    input: 'a=b c',
    want: "error: found 'c', expected: ',' or 'end of string'",
  },
  {
    name: 'a list that does not end',
    input: 'a in (x',
    want: "error: unable to parse requirement: found '', expected: ',' or ')'",
  },
  {
    name: 'a list without parentheses',
    input: 'a in x',
    want: "error: unable to parse requirement: found 'x' expected: '('",
  },
  {
    name: 'an operator in a list',
    input: 'a in (x=y)',
    want: "error: unable to parse requirement: found '=', expected: ',' or ')'",
  },
  {
    name: 'a parenthesis first in a list',
    input: 'a in ((',
    want: "error: unable to parse requirement: found '(', expected: ',', ')' or identifier",
  },
  {
    name: 'an operator where a key belongs',
    input: '=a',
    want: "error: found '=', expected: !, identifier, or 'end of string'",
  },
  {
    name: 'an operator without a key',
    input: '!=a',
    want: "error: found '!=', expected: !, identifier, or 'end of string'",
  },
  {
    name: 'a double negation',
    input: '!!a',
    want: "error: unable to parse requirement: found '!', expected: identifier",
  },
  {
    name: 'a negated equality',
    input: '!a=b',
    want: "error: found '=', expected: ',' or 'end of string'",
  },
  {
    name: 'a negation alone',
    input: '!',
    want: "error: unable to parse requirement: found '', expected: identifier",
  },
  {
    name: 'an unknown operator',
    input: 'a b',
    want: "error: unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  },
  {
    name: 'two operators',
    input: 'a=!b',
    want: "error: unable to parse requirement: found '!', expected: identifier",
  },
  {
    name: 'a list after equals',
    input: 'a=(b)',
    want: "error: unable to parse requirement: found '(', expected: identifier",
  },
  {
    name: 'a bad key',
    input: 'a b=c',
    want: "error: unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  },
  {
    name: 'a bad key with a bad prefix',
    input: '/x=y',
    want: 'error: unable to parse requirement: <nil>: Invalid value: "/x": prefix part must be non-empty',
  },
  {
    name: 'a bad value',
    input: 'a=b,c=_d',
    want: "error: unable to parse requirement: values[0][c]: Invalid value: \"_d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  },
  {
    name: 'a bad value in a list',
    input: 'a in (x,-y,_z)',
    want: "error: unable to parse requirement: [values[0][a]: Invalid value: \"-y\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'), values[1][a]: Invalid value: \"_z\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')]",
  },
  {
    name: 'a long value',
    input: 'a=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    want: 'error: unable to parse requirement: values[0][a]: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 63 bytes',
  },
  {
    name: 'a bound that is not an integer',
    input: 'a>x',
    want: "error: unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  },
  {
    name: 'a bound beyond 64 bits',
    input: 'a<99999999999999999999',
    want: "error: unable to parse requirement: values[0]: Invalid value: \"99999999999999999999\": for 'Gt', 'Lt' operators, the value must be an integer",
  },
  {
    name: 'an empty bound',
    input: 'a>',
    want: "error: unable to parse requirement: values[0]: Invalid value: \"\": for 'Gt', 'Lt' operators, the value must be an integer",
  },
  { name: 'a NUL ends the text', input: 'a=b\x00,c', want: 'a=b,c' },
  {
    name: 'beyond ASCII',
    input: 'a=é',
    want: "error: unable to parse requirement: values[0][a]: Invalid value: \"é\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  },
];
for (const { name, input, want } of texts) {
  test(`parse: ${name}`, () => assert.equal(parsed(input), want));
}

const matches: { name: string; input: string; labels: Record<string, string>; want: boolean }[] = [
  { name: 'everything', input: '', labels: { a: 'b' }, want: true },
  { name: 'an existing key', input: 'a', labels: { a: '' }, want: true },
  { name: 'an absent key', input: 'a', labels: { b: '' }, want: false },
  { name: 'a missing key', input: '!a', labels: { b: '' }, want: true },
  { name: 'equal', input: 'a=b', labels: { a: 'b' }, want: true },
  { name: 'not the same', input: 'a=b', labels: { a: 'c' }, want: false },
  { name: 'equal without the key', input: 'a=b', labels: {}, want: false },
  { name: 'not equal without the key', input: 'a!=b', labels: {}, want: true },
  { name: 'not equal with another value', input: 'a!=b', labels: { a: 'c' }, want: true },
  { name: 'not equal with the value', input: 'a!=b', labels: { a: 'b' }, want: false },
  { name: 'in', input: 'a in (x,y)', labels: { a: 'y' }, want: true },
  { name: 'not in the list', input: 'a in (x,y)', labels: { a: 'z' }, want: false },
  { name: 'notin without the key', input: 'a notin (x)', labels: {}, want: true },
  { name: 'notin with the value', input: 'a notin (x)', labels: { a: 'x' }, want: false },
  { name: 'greater', input: 'a>5', labels: { a: '6' }, want: true },
  { name: 'not greater', input: 'a>5', labels: { a: '5' }, want: false },
  { name: 'compared as numbers', input: 'a>5', labels: { a: '10' }, want: true },
  { name: 'a label that is not an integer', input: 'a>5', labels: { a: 'x' }, want: false },
  { name: 'less', input: 'a<5', labels: { a: '4' }, want: true },
  { name: 'less without the key', input: 'a<5', labels: {}, want: false },
  { name: 'all must hold', input: 'a=b,c', labels: { a: 'b' }, want: false },
  { name: 'all hold', input: 'a=b,c', labels: { a: 'b', c: 'd' }, want: true },
  { name: 'an empty value is not a missing one', input: 'a=', labels: {}, want: false },
  {
    name: 'inherited members of objects are not labels',
    input: 'toString',
    labels: {},
    want: false,
  },
];
for (const { name, input, labels, want } of matches) {
  test(`match: ${name}`, () => assert.equal(selector(input).matches(labels), want));
}

const pins = [
  { name: 'equal', input: 'a=b', want: 'b' },
  { name: 'a list of one', input: 'a in (b)', want: 'b' },
  { name: 'a list of two', input: 'a in (b,c)', want: undefined },
  { name: 'not equal', input: 'a!=b', want: undefined },
  { name: 'another key', input: 'c=b', want: undefined },
];
for (const { name, input, want } of pins) {
  test(`exactMatch: ${name}`, () => assert.equal(selector(input).exactMatch('a'), want));
}

test('undefined labels equal an empty set', () => {
  assert.equal(selector('!a').matches(undefined), true);
  assert.equal(selector('a').matches(undefined), false);
});

test('requirements are accessible for indexes', () => {
  assert.deepEqual(selector('b in (y,x),a').requirements, [
    { key: 'a', operator: 'exists', values: [] },
    { key: 'b', operator: 'in', values: ['x', 'y'] },
  ]);
  assert.equal(LabelSelector.everything.isEmpty, true);
});

test('a selector from a set of labels requires all of them', () => {
  const fromSet = labelSelectorFromSet({ b: '2', a: '1' });
  assert.equal(fromSet.toString(), 'a=1,b=2');
  assert.equal(fromSet.matches({ a: '1', b: '2', c: '3' }), true);
});

const key = fc.constantFrom('a', 'b', 'in', 'notin', 'example.com/app', 'x.y_z');
const value = fc.constantFrom('', 'v', '5', 'in', 'a-b');
const requirement = fc.oneof(
  key,
  key.map((text) => `!${text}`),
  fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map((parts) => parts.join('')),
  fc.tuple(key, fc.constantFrom('>', '<'), fc.nat()).map((parts) => parts.join('')),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1 }))
    .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
);

test('the canonical text parses to the same selector', () => {
  fc.assert(
    fc.property(fc.array(requirement), (requirements) => {
      const first = selector(requirements.join(','));
      const second = selector(first.toString());
      assert.deepEqual(second.requirements, first.requirements);
      assert.equal(second.toString(), first.toString());
    }),
  );
});

test('any text is parsed or rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => assert.ok(parsed(text) !== undefined)),
  );
});

test('long hostile selectors take linear time', () => {
  const hostile = [
    'a,'.repeat(2e4),
    '('.repeat(4e4),
    ' '.repeat(1e5),
    `a in (${'x,'.repeat(2e4)})`,
    '!'.repeat(4e4),
  ];
  for (const text of hostile) assert.ok(parsed(text) !== undefined);
});
