import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonError } from './json-error.ts';
import { scanJson } from './scan-json.ts';

const errors = [
  { name: 'empty', input: '', want: 'unexpected end of JSON input' },
  { name: 'white space', input: ' \n\t', want: 'unexpected end of JSON input' },
  { name: 'a word', input: 'hello', want: "invalid character 'h' looking for beginning of value" },
  { name: 'YAML', input: 'a: b', want: "invalid character 'a' looking for beginning of value" },
  { name: 'an object that does not end', input: '{"a":1', want: 'unexpected end of JSON input' },
  { name: 'an object without a value', input: '{"a":', want: 'unexpected end of JSON input' },
  { name: 'an object without a key', input: '{', want: 'unexpected end of JSON input' },
  {
    name: 'a key without a colon',
    input: '{"a" 1}',
    want: "invalid character '1' after object key",
  },
  {
    name: 'a key without quotes',
    input: '{a:1}',
    want: "invalid character 'a' looking for beginning of object key string",
  },
  {
    name: 'single quotes',
    input: "{'a':1}",
    want: "invalid character '\\'' looking for beginning of object key string",
  },
  {
    name: 'a comma before the end of an object',
    input: '{"a":1,}',
    want: "invalid character '}' looking for beginning of object key string",
  },
  {
    name: 'two commas',
    input: '[1,,2]',
    want: "invalid character ',' looking for beginning of value",
  },
  {
    name: 'a comma before the end of a list',
    input: '[1,]',
    want: "invalid character ']' looking for beginning of value",
  },
  {
    name: 'a missing comma in an object',
    input: '{"a":1 "b":2}',
    want: "invalid character '\"' after object key:value pair",
  },
  {
    name: 'a missing comma in a list',
    input: '[1 2]',
    want: "invalid character '2' after array element",
  },
  { name: 'the wrong bracket', input: '[1}', want: "invalid character '}' after array element" },
  {
    name: 'the wrong brace',
    input: '{"a":1]',
    want: "invalid character ']' after object key:value pair",
  },
  { name: 'two documents', input: '{} {}', want: "invalid character '{' after top-level value" },
  {
    name: 'text after the document',
    input: '{}x',
    want: "invalid character 'x' after top-level value",
  },
  {
    name: 'a line end in a string',
    input: '"a\nb"',
    want: "invalid character '\\n' in string literal",
  },
  {
    name: 'a tab in a key',
    input: '{"a\tb":1}',
    want: "invalid character '\\t' in string literal",
  },
  { name: 'a string that does not end', input: '"abc', want: 'unexpected end of JSON input' },
  {
    name: 'an unknown escape',
    input: '"\\x"',
    want: "invalid character 'x' in string escape code",
  },
  {
    name: 'an escape that does not end',
    input: '"\\',
    want: "invalid character ' ' in string escape code",
  },
  {
    name: 'a short hexadecimal escape',
    input: '"\\u12"',
    want: "invalid character '\"' in \\u hexadecimal character escape",
  },
  {
    name: 'an escape that ends early',
    input: '"\\u12',
    want: "invalid character ' ' in \\u hexadecimal character escape",
  },
  {
    name: 'a bad hexadecimal digit',
    input: '"\\u12g4"',
    want: "invalid character 'g' in \\u hexadecimal character escape",
  },
  { name: 'a leading zero', input: '01', want: "invalid character '1' after top-level value" },
  { name: 'a sign alone', input: '-', want: "invalid character ' ' in numeric literal" },
  { name: 'a sign and a letter', input: '-x', want: "invalid character 'x' in numeric literal" },
  {
    name: 'a plus sign',
    input: '+1',
    want: "invalid character '+' looking for beginning of value",
  },
  {
    name: 'a point without digits',
    input: '1.',
    want: "invalid character ' ' after decimal point in numeric literal",
  },
  {
    name: 'a point and a letter',
    input: '1.x',
    want: "invalid character 'x' after decimal point in numeric literal",
  },
  {
    name: 'an exponent without digits',
    input: '1e',
    want: "invalid character ' ' in exponent of numeric literal",
  },
  {
    name: 'an exponent and a letter',
    input: '1ex',
    want: "invalid character 'x' in exponent of numeric literal",
  },
  {
    name: 'a point first',
    input: '.5',
    want: "invalid character '.' looking for beginning of value",
  },
  {
    name: 'half of true',
    input: 'tru',
    want: "invalid character ' ' in literal true (expecting 'e')",
  },
  {
    name: 'a wrong true',
    input: 'trup',
    want: "invalid character 'p' in literal true (expecting 'e')",
  },
  {
    name: 'a wrong false',
    input: 'fals3',
    want: "invalid character '3' in literal false (expecting 'e')",
  },
  {
    name: 'a wrong null',
    input: 'nul!',
    want: "invalid character '!' in literal null (expecting 'l')",
  },
  {
    name: 'not a number',
    input: 'NaN',
    want: "invalid character 'N' looking for beginning of value",
  },
  {
    name: 'the byte order mark',
    input: '\ufeff{}',
    want: "invalid character '\u00ef' looking for beginning of value",
  },
  {
    name: 'beyond ASCII',
    input: 'é',
    want: "invalid character '\u00c3' looking for beginning of value",
  },
  {
    name: 'an apostrophe',
    input: "'",
    want: "invalid character '\\'' looking for beginning of value",
  },
  {
    name: 'a NUL',
    input: '\x00',
    want: "invalid character '\\x00' looking for beginning of value",
  },
  {
    name: 'a number too large',
    input: '[1,1e400]',
    want: 'json: cannot unmarshal number 1e400 into Go value of type float64',
  },
  {
    name: 'too large by its digits and a short exponent',
    input: `[${'9'.repeat(250)}E+60]`,
    want: `json: cannot unmarshal number ${'9'.repeat(250)}E+60 into Go value of type float64`,
  },
  { name: 'syntax errors come first', input: '[1e400', want: 'unexpected end of JSON input' },
  { name: 'a comment', input: '{} // x', want: "invalid character '/' after top-level value" },
];
for (const { name, input, want } of errors) {
  test(`Go's message: ${name}`, () => {
    assert.throws(
      () => scanJson(Buffer.from(input)),
      (error) => error instanceof JsonError && error.message === want,
    );
  });
}

test('an error distinguishes invalid JSON from an invalid value', () => {
  const problem = (text: string) => {
    try {
      return scanJson(Buffer.from(text));
    } catch (error) {
      assert.ok(error instanceof JsonError);
      return error.problem;
    }
  };
  assert.equal(problem('{'), 'syntax');
  assert.equal(problem('1e400'), 'value');
});

const duplicates = [
  { name: 'none', input: '{"a":1,"b":2}', want: [] },
  { name: 'at the top', input: '{"a":1,"a":2}', want: ['a'] },
  { name: 'three times, reported once', input: '{"a":1,"a":2,"a":3}', want: ['a'] },
  { name: 'below', input: '{"spec":{"x":1,"x":2}}', want: ['spec.x'] },
  {
    name: 'in a list',
    input: '{"spec":{"list":[{},{"x":1,"y":2,"x":3}]}}',
    want: ['spec.list[1].x'],
  },
  { name: 'in a list of lists', input: '{"a":[[1,{"x":1,"x":2}]]}', want: ['a[0][1].x'] },
  { name: 'the same key elsewhere', input: '{"a":{"x":1},"b":{"x":1}}', want: [] },
  {
    name: 'in the second value of a duplicate',
    input: '{"a":{},"a":{"b":1,"b":2}}',
    want: ['a', 'a.b'],
  },
  { name: 'an escape is the same key', input: '{"a":1,"\\u0061":2}', want: ['a'] },
  { name: 'beyond ASCII', input: '{"é":1,"\\u00e9":2}', want: ['é'] },
  { name: 'a key with a dot', input: '{"a.b":1,"a.b":2}', want: ['a.b'] },
  { name: 'case matters', input: '{"a":1,"A":2}', want: [] },
  { name: 'an empty key', input: '{"":1,"":2}', want: [''] },
  { name: 'in document order', input: '{"b":1,"a":1,"a":2,"b":2}', want: ['a', 'b'] },
  { name: '__proto__', input: '{"__proto__":1,"__proto__":2}', want: ['__proto__'] },
  {
    name: 'unpaired surrogates become equal',
    input: '{"\\ud800":1,"\\ud801":2}',
    want: ['\ufffd'],
  },
  {
    name: 'many keys',
    input:
      '{"k0":1,"k1":1,"k2":1,"k3":1,"k4":1,"k5":1,"k6":1,"k7":1,"k8":1,"k9":1,"k10":1,"k11":1,"k12":1,"k13":1,"k14":1,"k15":1,"k16":1,"k17":1,"k18":1,"k19":1,"k20":1,"k21":1,"k22":1,"k23":1,"k24":1,"k25":1,"k26":1,"k27":1,"k28":1,"k29":1,"k30":1,"k31":1,"k32":1,"k33":1,"k34":1,"k35":1,"k36":1,"k37":1,"k38":1,"k39":1,"k3":2,"k39":2}',
    want: ['k3', 'k39'],
  },
  {
    name: 'many keys and an escape',
    input:
      '{"k0":1,"k1":1,"k2":1,"k3":1,"k4":1,"k5":1,"k6":1,"k7":1,"k8":1,"k9":1,"k10":1,"k11":1,"k12":1,"k13":1,"k14":1,"k15":1,"k16":1,"k17":1,"k18":1,"k19":1,"\\u006b3":2}',
    want: ['k3'],
  },
  {
    name: 'keys with the same hash',
    input: '{"Aa":1,"BB":2,"AaBB":3,"BBAa":4,"Aa":5}',
    want: ['Aa'],
  },
];
for (const { name, input, want } of duplicates) {
  test(`duplicate fields: ${name}`, () => {
    assert.deepEqual(scanJson(Buffer.from(input)).duplicateFields, want);
  });
}

test('paths in a top-level list start with the index', () => {
  const { duplicateFields } = scanJson(Buffer.from('[{"a":1,"a":2}]'));
  assert.deepEqual(duplicateFields, ['[0].a']);
});

test('at most a hundred duplicates are reported', () => {
  const members = Array.from({ length: 150 }, (_, index) => `"k${index}":1,"k${index}":2`);
  assert.equal(scanJson(Buffer.from(`{${members.join(',')}}`)).duplicateFields.length, 100);
});

const lossless = [
  { name: 'fifteen digits', input: '[123456789012345]', want: false },
  { name: 'sixteen digits', input: '[1234567890123456]', want: true },
  { name: 'sixteen digits, negative', input: '{"a":-1234567890123456}', want: true },
  { name: 'digits in a string', input: '["1234567890123456789"]', want: false },
  { name: 'many digits of a fraction', input: '[0.12345678901234567890]', want: false },
  { name: 'an exponent', input: '[1234567890123456e1]', want: false },
  { name: 'a surrogate pair', input: String.raw`["\ud83d\ude00"]`, want: false },
  { name: 'the first half of a pair', input: String.raw`["\ud83d"]`, want: true },
  { name: 'the second half of a pair', input: String.raw`["\ude00"]`, want: true },
  { name: 'two first halves and a second', input: String.raw`["\ud83d\ud83d\ude00"]`, want: true },
  { name: 'a first half before another escape', input: String.raw`["\ud83d\n"]`, want: true },
];
for (const { name, input, want } of lossless) {
  test(`needs the lossless parser: ${name}`, () => {
    assert.equal(scanJson(Buffer.from(input)).needsLosslessParse, want);
  });
}

test('the maximum depth is that of Go', () => {
  const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  assert.deepEqual(scanJson(nested(10_000)).duplicateFields, []);
  const message = "invalid character '[' exceeded max depth";
  assert.throws(() => scanJson(nested(10_001)), { message });
  assert.throws(() => scanJson(nested(3), { depthMax: 2 }), { message });
});

test('the scan accepts what JSON.parse accepts', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-',
    '.5',
    'e2',
    'true',
    'null',
    ' ',
    '"',
    '\\n',
  ];
  const soup = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
  const document = fc.json({ maxDepth: 4 });
  fc.assert(
    fc.property(fc.oneof(soup, document), (text) => {
      const accepts = (parse: () => unknown) => {
        try {
          parse();
          return true;
        } catch {
          return false; // the question is whether it parses
        }
      };
      assert.equal(
        accepts(() => scanJson(Buffer.from(text))),
        accepts(() => JSON.parse(text)),
        text,
      );
    }),
    { numRuns: 2000 },
  );
});

test('keys are unique after JSON.parse exactly when the scan finds no duplicate', () => {
  const key = fc.constantFrom('"a"', '"b"', '"c"', String.raw`"\u0061"`, '"é"', '"__proto__"');
  const members = fc.array(key, { maxLength: 30 });
  fc.assert(
    fc.property(members, (keys) => {
      const text = `{${keys.map((name) => `${name}:1`).join(',')}}`;
      const unique = Object.keys(JSON.parse(text)).length === keys.length;
      assert.equal(scanJson(Buffer.from(text)).duplicateFields.length === 0, unique);
    }),
  );
});

test('hostile documents take linear time', () => {
  const hostile = [
    `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
    `{${Array.from({ length: 16 }, (_, index) => `"${'x'.repeat(1e5)}${index}":1`).join(',')}}`,
    `"${'\\\\'.repeat(5e5)}"`,
    '1'.repeat(1e6).slice(0, 300),
    `[${'9'.repeat(308)}${',1'.repeat(3e5)}]`,
  ];
  for (const text of hostile) scanJson(Buffer.from(text));
});

test('many equal duplicates at a great depth take little time', () => {
  const members = '"x":1,'.repeat(100_000);
  const text = `${'{"a":'.repeat(9000)}{${members}"x":1}${'}'.repeat(9000)}`;
  assert.equal(scanJson(Buffer.from(text)).duplicateFields.length, 1);
});
