import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Library } from '../declarations/library.ts';
import { celError } from '../values/errors.ts';
import { INT, objectType, STRING } from '../values/types.ts';
import { compile } from './compile.ts';
import { createEnvironment, extendEnvironment } from './environment.ts';

const doubling: Library = {
  name: 'doubling',
  types: [objectType('example.Thing')],
  functions: [
    {
      name: 'twice',
      actualCost: () => 7,
      overloads: [
        {
          id: 'twice_int',
          member: true,
          parameters: [INT],
          result: INT,
          call: ([one]) => (one as bigint) * 2n,
        },
        {
          id: 'twice_string',
          member: true,
          parameters: [STRING],
          result: STRING,
          prepare: ([text]) => (text === '' ? celError('nothing to double') : undefined),
          call: ([text]) => `${text}${text}`,
        },
      ],
    },
  ],
};

function response(
  text: string,
  environment = createEnvironment({ libraries: [doubling] }),
): unknown {
  const compiled = compile(environment, text);
  if (!compiled.ok) {
    return 'instantiation' in compiled
      ? compiled.instantiation.message
      : compiled.issues[0]?.message;
  }
  const result = compiled.program.evaluate(new Map());
  return result.outcome === 'value' ? [result.value, result.cost] : result.message;
}

test('functions of a library are found by their arguments, with their costs', () => {
  assert.deepEqual(response('4.twice()'), [8n, 7]);
  assert.deepEqual(response('"a".twice()'), ['aa', 7]);
  assert.deepEqual(response('dyn(4).twice() == 8'), [true, 8]);
  assert.equal(response('dyn(4.5).twice()'), 'no such overload: twice(double)');
  assert.equal(
    response('4.5.twice()'),
    "found no matching overload for 'twice' applied to 'double.()'",
  );
  assert.equal(response('twice(4)'), "found no matching overload for 'twice' applied to '(int)'");
});

test('what a library makes of constants can refuse an expression', () => {
  assert.equal(response('"".twice()'), 'nothing to double');
});

test('types of a library are values', () => {
  assert.deepEqual(response('type(1) == example.Thing'), [false, 1]);
  assert.equal(response('example.Other'), "undeclared reference to 'example' (in container '')");
});

test('an environment does not change when another is made from it', () => {
  const base = createEnvironment();
  const more = extendEnvironment(base, { libraries: [doubling], variables: { n: INT } });
  assert.equal(response('4.twice()', base), "undeclared reference to 'twice' (in container '')");
  assert.deepEqual(response('4.twice()', more), [8n, 7]);
  assert.equal(response('n', more), 'no such attribute(s): n');
  assert.equal(response('n', base), "undeclared reference to 'n' (in container '')");
});

test('optional syntax comes with its library', () => {
  assert.equal(response('{}.?a'), "unsupported syntax '.?'");
});

test('names with dots are one variable, and loops hide variables', () => {
  const environment = createEnvironment({ variables: { 'a.b': INT, x: STRING } });
  const compiled = compile(environment, '[1].all(x, x + a.b == 3) && x == "outer"');
  assert.ok(compiled.ok);
  const result = compiled.program.evaluate(
    new Map<string, bigint | string>([
      ['a.b', 2n],
      ['x', 'outer'],
    ]),
  );
  assert.deepEqual(result.outcome === 'value' && result.value, true);
});
