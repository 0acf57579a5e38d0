import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environment } from '../../test/evaluate.ts';
import { jsonValue } from '../values/json.ts';
import { compile } from './compile.ts';

const seed = Number(process.env.SEED ?? 20_261_116);

function generator(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// biome-ignore format: a list of pieces reads better in few lines
const PIECES = [
  'data', 'x', '__proto__', 'constructor', 'toString', '1', '2u', '1.5', '-', '!', '"s"', "'", 'b"x"', 'r"\\"',
  'true', 'null', 'in', '+', '*', '/', '%', '&&', '||', '==', '<=', '?', ':', '(', ')', '[', ']', '{', '}', '.', ',',
  '.?', '[?', '`q`', 'has(', '.all(x,', '.map(y,', 'size(', 'int(', '\\', '@', '&', '\n', '\t', '//', 'é', '😀', '\ud800',
] as const;

// biome-ignore format: a list of pieces reads better in few lines
const ATOMS = [
  '1', '-2', '3u', '2.5', "'a'", "b'c'", 'true', 'null', '[]', '{}', '[1, 2]', "{'__proto__': 1}", 'data', 'data.list',
  "data['__proto__']", 'data.constructor', 'data.?toString', "data.map['hasOwnProperty']", 'x', 'y', 'int', "duration('1s')",
] as const;

const variables = new Map([
  [
    'data',
    jsonValue(
      JSON.parse(
        '{"list": [1, "two", null, 2.5], "map": {"a": {"b": 1}}, "__proto__": {"polluted": true}}',
      ),
    ),
  ],
]);

/** Compiles and runs, whatever it is; anything thrown is the failure. */
function survive(text: string): string {
  const compiled = compile(environment, text);
  if (!compiled.ok) {
    return 'refused';
  }
  return compiled.program.evaluate(variables, { costLimit: 20_000 }).outcome;
}

test(`random texts neither crash nor hang (seed ${seed})`, () => {
  const random = generator(seed);
  for (let round = 0; round < 3000; round++) {
    const length = 1 + Math.floor(random() * 14);
    const separator = random() < 0.5 ? ' ' : '';
    const pieces = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]);
    const text = pieces.join(separator);
    assert.doesNotThrow(() => survive(text), JSON.stringify(text));
  }
});

test(`random expressions neither crash nor hang nor reach a prototype (seed ${seed})`, () => {
  const random = generator(seed + 1);
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const expression = (depth: number): string => {
    if (depth <= 0) {
      return pick(ATOMS);
    }
    // Of any type, so that most of them pass the checker and fail, if they do, when they run.
    const part = () => `dyn(${expression(depth - 1 - Math.floor(random() * 2))})`;
    return pick([
      () =>
        `(${part()} ${pick(['+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in'])} ${part()})`,
      () => `(${part()} ? ${part()} : ${part()})`,
      () => `${part()}[${part()}]`,
      () => `${part()}.${pick(['__proto__', 'constructor', 'list', '?a', 'length'])}`,
      () => `${part()}.${pick(['all', 'exists', 'exists_one', 'map', 'filter'])}(x, ${part()})`,
      () => `${part()}.${pick(['all', 'transformList', 'transformMap'])}(x, y, ${part()})`,
      () => `${pick(['size', 'int', 'string', 'type', 'bytes', 'double'])}(${part()})`,
      () => `[${part()}, dyn(${part()})]`,
      () => `{${part()}: ${part()}}`,
      () => `has(${part()}.${pick(['__proto__', 'toString', 'a'])})`,
    ])();
  };
  const outcomes = new Map<string, number>();
  for (let round = 0; round < 3000; round++) {
    const text = `[dyn(1), dyn('b')].map(x, ['k'].map(y, ${expression(4)}))`;
    let outcome = '';
    assert.doesNotThrow(() => {
      outcome = survive(text);
    }, JSON.stringify(text));
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // The expressions are worth something only when many of them run.
  assert.ok((outcomes.get('value') ?? 0) + (outcomes.get('error') ?? 0) > 500, `${[...outcomes]}`);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});

test('names of the prototype are data like any other', () => {
  const response = (text: string) => {
    const compiled = compile(environment, text);
    assert.ok(compiled.ok, text);
    const result = compiled.program.evaluate(variables);
    return result.outcome === 'value' ? result.value : `${result.outcome}: ${result.message}`;
  };
  assert.equal(response('data.constructor'), 'error: no such key: constructor');
  assert.equal(response("'toString' in data"), false);
  assert.equal(response('data.__proto__.polluted'), true);
  assert.equal(response("{'__proto__': 1}.__proto__"), 1n);
  assert.equal(response('has({}.hasOwnProperty)'), false);
});

for (const [name, text] of [
  ['parentheses', `${'('.repeat(5000)}1${')'.repeat(5000)}`],
  ['open brackets', '['.repeat(50_000)],
  ['minus signs', '-'.repeat(20_000)],
  ['a long chain', Array.from({ length: 20_000 }, () => 'a').join('.')],
  ['a long sum', Array.from({ length: 20_000 }, () => '1').join('+')],
  ['a long disjunction', Array.from({ length: 20_000 }, () => 'true').join('||')],
  ['nested calls', `${'size('.repeat(5000)}1${')'.repeat(5000)}`],
  ['nested macros', `${'[1].map(x, '.repeat(200)}1${')'.repeat(200)}`],
  ['nested ternaries', `${'true ? 1 : '.repeat(5000)}1`],
  ['too much text', `"${'x'.repeat(100_001)}"`],
  ['errors everywhere', '@#$'.repeat(5000)],
  ['broken lists', '[1 2 '.repeat(2000)],
] as const) {
  test(`${name} are refused or evaluated in time`, () => {
    const before = process.cpuUsage();
    survive(text);
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1000 < 2000, `${(user + system) / 1000} ms`);
  });
}
