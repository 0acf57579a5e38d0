import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costOf, environment, evaluated } from '../../test/evaluate.ts';
import { compile } from './compile.ts';

const values: readonly (readonly [expression: string, value: string])[] = [
  ['1 + 2 * 3', '7'],
  ['-7 / 2', '-3'],
  ['-7 % 2', '-1'],
  ['7u - 2u', '5u'],
  ['1.5 * 2.0', '3.0'],
  ['--1', '1'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['"a" + \'b\'', '"ab"'],
  ["b'\\xff' + b'a'", 'b[255,97]'],
  ['r"\\d"', '"\\\\d"'],
  ['"\\u00e9\\101"', '"éA"'],
  ['size("héllo😀")', '6'],
  ['dyn(1) == 1.0 && dyn(1u) == 1 && 2 > 1.5 && 1u < 2', 'true'],
  ['9223372036854775807 < 9223372036854775808.0', 'false'],
  ['[1, 2] == [1, 2] && {"a": [1]} == {"a": [1]}', 'true'],
  ['null == null', 'true'],
  ['2 in [1, 2] && !("z" in {"a": 1})', 'true'],
  ['false && 1 / 0 > 1', 'false'],
  ['1 / 0 > 1 || true', 'true'],
  ['true ? "yes" : "no"', '"yes"'],
  ['[1, 2, 3].all(x, x > 0)', 'true'],
  ['[1, 0].all(x, 1 / x > 5)', 'false'],
  ['[0, 1].exists(x, 1 / x == 1)', 'true'],
  ['[1, 2, 2].exists_one(x, x == 2)', 'false'],
  ['[1, 2, 3].map(x, x * 2)', '[2, 4, 6]'],
  ['[1, 2, 3].map(x, x > 1, x * 2)', '[4, 6]'],
  ['[1, 2, 3].filter(x, x > 1)', '[2, 3]'],
  ['[1, 2].map(x, [3, 4].map(y, x * y))', '[[3, 4], [6, 8]]'],
  ['{"a": 1}.map(k, k)', '["a"]'],
  ['["a", "b"].transformList(i, v, v + string(i))', '["a0", "b1"]'],
  ['{"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 2)', '{"b": 4}'],
  ['{"a": "x"}.transformMapEntry(k, v, {v: k})', '{"x": "a"}'],
  ['has(data.map.a) && !has(data.map.z)', 'true'],
  ['data.list[1] + data.map["a"]', '3'],
  ['data.?map.?a.orValue(9) + data.?none.?a.orValue(9)', '10'],
  ['data.list[?7].or(optional.of(2)).value()', '2'],
  ['data.?map.optMap(m, m.a + 1)', 'of(2)'],
  ['data.?none.optMap(m, m.a + 1)', 'none'],
  ['[?data.?none, dyn(1), ?data.?number]', '[1, 3]'],
  ['{?"a": data.?none, ?"b": data.?number}', '{"b": 3}'],
  ['optional.ofNonZeroValue("")', 'none'],
  ['int("42") + int(2.9) + int(3u)', '47'],
  [
    'string(1.5) + string(true) + string(1e21) + string(123456789.0)',
    '"1.5true1e+211.23456789e+08"',
  ],
  ['double("1e3")', '1000.0'],
  ['bytes("é")', 'b[195,169]'],
  ['type(1) == int && type(type(1)) == type', 'true'],
  ['timestamp("2020-01-02T03:04:05.5Z").getHours("+02:30")', '5'],
  ['timestamp("2020-07-01T00:00:00Z").getHours("Europe/Berlin")', '2'],
  ['timestamp("2020-12-31T00:00:00Z").getDayOfYear()', '365'],
  ['duration("1h30m").getMinutes()', '90'],
  ['timestamp("2020-01-01T00:00:00Z") + duration("1s")', 'timestamp(1577836801000000000)'],
  ['"aaaa".matches("^a+$") && "abc".contains("bc")', 'true'],
  ['// a comment\n1', '1'],
  ['[1, 2,]', '[1, 2]'],
];

for (const [expression, value] of values) {
  test(`value of ${expression}`, () => assert.equal(evaluated(expression), value));
}

const errors: readonly (readonly [expression: string, message: string])[] = [
  ['data.number / 0 == 1', 'division by zero'],
  ['data.number % 0 == 1', 'modulus by zero'],
  ['9223372036854775807 + data.number', 'integer overflow'],
  ['-9223372036854775807 - data.number', 'integer overflow'],
  ['9223372036854775807 * data.number', 'integer overflow'],
  ['0u - uint(data.number)', 'unsigned integer overflow'],
  ['data.zz', 'no such key: zz'],
  ['data.list[5]', 'index out of bounds: 5'],
  ['data.list["a"]', "unsupported index type 'string' in list"],
  ['data.text > 1', 'no such overload'],
  ['data.map > 1', 'no such overload: _>_'],
  ['data.map + 1', 'no such overload: _+_'],
  ['int(data.list)', 'no such overload: int(list)'],
  ['int(data.text)', "type conversion error from 'string' to 'int'"],
  ['data.number.all(x, true)', "got 'types.Int', expected iterable type"],
  ['[1, 2].all(x, 1 / (x - 1) > 0)', 'division by zero'],
  ['optional.none().value() == 1', 'optional.none() dereference'],
  ['[1, 1].transformMapEntry(i, v, {v: i})', 'insert failed: key 1 already exists'],
  ['data.text.matches(data.text + "(")', 'error parsing regexp: missing closing ): `words(`'],
  ['data.number ? 1 : 2', 'no such overload'],
  ['double("NaN") < data.real', 'NaN values cannot be ordered'],
];

for (const [expression, message] of errors) {
  test(`error of ${expression}`, () => assert.equal(evaluated(expression), `error: ${message}`));
}

const refused: readonly (readonly [expression: string, message: string])[] = [
  ['int("x")', "instantiation: type conversion error from 'string' to 'int'"],
  ['unknown', "1:1: undeclared reference to 'unknown' (in container '')"],
  ['unknown(1)', "1:8: undeclared reference to 'unknown' (in container '')"],
  ['1 + "a"', "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
  ['"a".size(1)', "1:9: found no matching overload for 'size' applied to 'string.(int)'"],
  ['1 && true', "1:1: expected type 'bool' but found 'int'"],
  ['[1, "a"]', "1:5: expected type 'int' but found 'string'"],
  ['1.a', "1:2: type 'int' does not support field selection"],
  [
    '1.all(x, true)',
    "1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ['duration("1")', '1:10: invalid duration argument'],
  ['timestamp("2020")', '1:11: invalid timestamp argument'],
  ['"a".matches("(")', '1:13: invalid matches argument'],
  ['has(1)', '1:5: invalid argument to has() macro'],
  ['[1].all(1, true)', '1:9: argument must be a simple name'],
  ['[1].map(a.b, true)', '1:10: argument is not an identifier'],
  ['[1].all(__result__, true)', '1:9: iteration variable overwrites accumulator variable'],
  ['[1].all(i, i, true)', '1:12: duplicate variable name: i'],
  ['if', '1:1: reserved identifier: if'],
  ['99999999999999999999', '1:1: invalid int literal'],
  ['1e999', '1:1: invalid double literal'],
];

for (const [expression, message] of refused) {
  test(`refusal of ${expression}`, () => {
    const [first = ''] = evaluated(expression).split('\n');
    assert.equal(first.replace('ERROR: <input>:', ''), message);
  });
}

// Recorded from upstream: constants cost nothing, paths a unit for each step, a ternary nothing itself.
const costs: readonly (readonly [expression: string, cost: number])[] = [
  ['1 + 1', 1],
  ['data.number', 2],
  ['data.map.a', 3],
  ['has(data.map.a)', 2],
  ['data.number == 3', 3],
  ['"abcdefghijk" == data.text', 3],
  ['data.number in [1, 2, 3]', 2],
  ['data.number in data.list', 5],
  ['true ? data.number : 1', 1],
  ['[1, 2, 3].all(x, x > 0)', 16],
  ['[1, 2, 3].map(x, x)', 40],
  ['data.list.map(x, x * 2)', 45],
  ['{"a": data.number}', 32],
  ['[data.number]', 12],
  ['data.?number.orValue(1)', 2],
  ['data.?zz.orValue(1)', 1],
];

for (const [expression, cost] of costs) {
  test(`cost of ${expression}`, () => assert.equal(costOf(expression), cost));
}

test('all errors of an expression are reported, in order, with the lines they are in', () => {
  assert.equal(
    evaluated('a +\n\tb'),
    [
      "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')",
      ' | a +',
      ' | ^',
      "ERROR: <input>:2:2: undeclared reference to 'b' (in container '')",
      ' |  b',
      ' | .^',
    ].join('\n'),
  );
});

test('a program is told apart by the variables it uses and keeps nothing between evaluations', () => {
  const compiled = compile(environment, '[1, 2].map(x, data + x)');
  assert.ok(compiled.ok);
  assert.ok(compiled.program.uses('data'));
  assert.ok(!compiled.program.uses('x2'));
  for (const data of [1n, 10n]) {
    const result = compiled.program.evaluate(new Map([['data', data]]));
    assert.equal(result.outcome, 'value');
    assert.equal(result.outcome === 'value' && JSON.stringify(result.cost), '31');
  }
});

test('a variable that is not given is an error only where it is needed', () => {
  const compiled = compile(environment, 'true || data.x');
  assert.ok(compiled.ok);
  assert.deepEqual(compiled.program.evaluate(new Map()), {
    outcome: 'value',
    value: true,
    cost: 0,
    steps: 0,
  });
  const needed = compile(environment, 'data.x');
  assert.ok(needed.ok);
  assert.deepEqual(needed.program.evaluate(new Map()), {
    outcome: 'error',
    message: 'no such attribute(s): data',
    cost: 1,
    steps: 0,
  });
});
