import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ParseOptions, parse } from './parser.ts';
import { formatIssues } from './source.ts';

const options: ParseOptions = { macros: [], optionalSyntax: true };
const EXPRESSION =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Positions and messages of errors. */
function errorsOf(text: string): string[] {
  const parsed = parse(text, options);
  const all = 'issues' in parsed ? formatIssues(text, parsed.issues) : '';
  return [...all.matchAll(/^ERROR: <input>:(.*)$/gm)].map(([, line = '']) =>
    line.replace('Syntax error: ', '').replaceAll(EXPRESSION, 'EXPRESSION'),
  );
}

// The first error of upstream's parser for the same text.
const cases: readonly (readonly [text: string, error: string])[] = [
  ['', "1:0: mismatched input '<EOF>' expecting EXPRESSION"],
  ['1 +', "1:4: mismatched input '<EOF>' expecting EXPRESSION"],
  ['+ 1', "1:1: extraneous input '+' expecting EXPRESSION"],
  ['(1', "1:3: missing ')' at '<EOF>'"],
  ['1)', "1:2: extraneous input ')' expecting <EOF>"],
  ['[1, 2', "1:6: mismatched input '<EOF>' expecting {']', ','}"],
  ['{1, 2}', "1:3: mismatched input ',' expecting ':'"],
  ['a b', "1:3: extraneous input 'b' expecting <EOF>"],
  ['a.', "1:3: no viable alternative at input '.'"],
  ['a ? b', "1:6: mismatched input '<EOF>' expecting ':'"],
  ["'open", "1:1: token recognition error at: ''open'"],
  ["'\\q'", "1:1: token recognition error at: ''\\q'"],
  ['a & b', "1:3: token recognition error at: '& '"],
  ['1 2 @', "1:3: extraneous input '2' expecting <EOF>"],
  ['in', "1:1: mismatched input 'in' expecting EXPRESSION"],
  ['true.false', "1:6: mismatched input 'false' expecting IDENTIFIER"],
  ['f(1,)', "1:5: mismatched input ')' expecting EXPRESSION"],
  ['-', "1:2: no viable alternative at input '-'"],
  ['!', "1:2: extraneous input '<EOF>' expecting EXPRESSION"],
  ['a.?b()', "1:5: mismatched input '(' expecting <EOF>"],
  [
    'a.all(x, x % (b{1}',
    "1:17: extraneous input '1' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}",
  ],
];

for (const [text, error] of cases) {
  test(`the error of ${JSON.stringify(text)}`, () => assert.deepEqual(errorsOf(text), [error]));
}

test('an expression nested too deeply has an error of its own', () => {
  const nested = (count: number) => `${'('.repeat(count)}1${')'.repeat(count)}`;
  assert.deepEqual(errorsOf(nested(249)), []);
  assert.deepEqual(errorsOf(nested(250)), ['-1:0: expression recursion limit exceeded: 250']);
  const sum = (count: number) => Array.from({ length: count }, () => '1').join('+');
  assert.deepEqual(errorsOf(sum(251)), []);
  assert.deepEqual(errorsOf(sum(252)), ['-1:0: max recursion depth exceeded']);
});

test('an expression has at most 100,000 code points', () => {
  assert.deepEqual(errorsOf(`'${'😀'.repeat(99_998)}'`), []);
  assert.deepEqual(errorsOf(`'${'x'.repeat(99_999)}'`), [
    '-1:0: expression code point size exceeds limit: size: 100001, limit 100000',
  ]);
});

test('the position in an error accounts for wide characters and tabs', () => {
  const text = "\t'é' +";
  const parsed = parse(text, options);
  assert.ok('issues' in parsed);
  assert.match(formatIssues(text, parsed.issues), /\n \| {2}'é' \+\n \| \.\.．\.\.\.\^$/);
});
