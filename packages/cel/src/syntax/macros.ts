import type { Expression } from './expression.ts';
import { type ExpressionBuilder, type Macro, type MacroError, macroError } from './macro.ts';

/** The older name of the accumulator, which variables may still not take. */
const OLD_ACCUMULATOR = '__result__';
const SHADOWS = 'iteration variable overwrites accumulator variable';

type Expand = Macro['expand'];

/** `has`, `all`, `exists`, `exists_one`, `map` and `filter` over one variable. */
export const STANDARD_MACROS: readonly Macro[] = [
  { name: 'has', member: false, argumentCount: 1, expand: expandHas },
  {
    name: 'all',
    member: true,
    argumentCount: 2,
    expand: one(quantifyAll, 'must be a simple name'),
  },
  {
    name: 'exists',
    member: true,
    argumentCount: 2,
    expand: one(quantifySome, 'must be a simple name'),
  },
  {
    name: 'exists_one',
    member: true,
    argumentCount: 2,
    expand: one(quantifyOne, 'must be a simple name'),
  },
  { name: 'map', member: true, argumentCount: 2, expand: one(collect, 'is not an identifier') },
  { name: 'map', member: true, argumentCount: 3, expand: one(collect, 'is not an identifier') },
  { name: 'filter', member: true, argumentCount: 2, expand: one(keep, 'is not an identifier') },
];

/** The same over an index or a key and its value, and `transformList`, `transformMap`, `transformMapEntry`. */
export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  { name: 'all', member: true, argumentCount: 3, expand: two(quantifyAll) },
  { name: 'exists', member: true, argumentCount: 3, expand: two(quantifySome) },
  { name: 'existsOne', member: true, argumentCount: 3, expand: two(quantifyOne) },
  { name: 'exists_one', member: true, argumentCount: 3, expand: two(quantifyOne) },
  { name: 'transformList', member: true, argumentCount: 3, expand: two(collect) },
  { name: 'transformList', member: true, argumentCount: 4, expand: two(collect) },
  { name: 'transformMap', member: true, argumentCount: 3, expand: two(collectValues) },
  { name: 'transformMap', member: true, argumentCount: 4, expand: two(collectValues) },
  { name: 'transformMapEntry', member: true, argumentCount: 3, expand: two(collectEntries) },
  { name: 'transformMapEntry', member: true, argumentCount: 4, expand: two(collectEntries) },
];

/** `optMap` and `optFlatMap`. */
export const OPTIONAL_MACROS: readonly Macro[] = [
  { name: 'optMap', member: true, argumentCount: 2, expand: optionalMap('optMap') },
  { name: 'optFlatMap', member: true, argumentCount: 2, expand: optionalMap('optFlatMap') },
];

function expandHas(
  build: ExpressionBuilder,
  _target: Expression | undefined,
  [argument]: readonly Expression[],
): Expression | MacroError | undefined {
  if (argument?.kind === 'select') {
    return build.test(argument.operand, argument.field);
  }
  return argument && macroError(argument, 'invalid argument to has() macro');
}

/** The variables of a loop and what is done with each element. */
interface Loop {
  readonly range: Expression;
  readonly variable: string;
  readonly secondVariable?: string;
  /** The first variable as the text has it, whose place `filter` keeps. */
  readonly identifier: Expression;
  readonly rest: readonly Expression[];
}

type ExpandLoop = (build: ExpressionBuilder, loop: Loop) => Expression | undefined;

function one(expand: ExpandLoop, complaint: string): Expand {
  return (build, range, [identifier, ...rest]) => {
    if (range === undefined || identifier === undefined) {
      return undefined;
    }
    if (identifier.kind !== 'identifier') {
      return macroError(identifier, `argument ${complaint}`);
    }
    const variable = identifier.name;
    if (overwrites(build, variable)) {
      return macroError(identifier, SHADOWS);
    }
    return expand(build, { range, variable, identifier, rest });
  };
}

function two(expand: ExpandLoop): Expand {
  return (build, range, [first, second, ...rest]) => {
    if (range === undefined || first === undefined || second === undefined) {
      return undefined;
    }
    for (const argument of [first, second]) {
      if (argument.kind !== 'identifier') {
        return macroError(argument, 'argument must be a simple name');
      }
    }
    if (first.kind !== 'identifier' || second.kind !== 'identifier') {
      return undefined;
    }
    if (first.name === second.name) {
      return macroError(second, `duplicate variable name: ${first.name}`);
    }
    for (const argument of [first, second]) {
      if (overwrites(build, argument.name)) {
        return macroError(argument, SHADOWS);
      }
    }
    const [variable, secondVariable] = [first.name, second.name];
    return expand(build, { range, variable, secondVariable, identifier: first, rest });
  };
}

function overwrites(build: ExpressionBuilder, name: string): boolean {
  return name === build.accumulatorName || name === OLD_ACCUMULATOR;
}

function quantifyAll(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  const [predicate] = loop.rest;
  return (
    predicate &&
    fold(build, loop, {
      initial: build.literal(true),
      condition: build.call('@not_strictly_false', build.accumulator()),
      step: build.call('_&&_', build.accumulator(), predicate),
    })
  );
}

function quantifySome(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  const [predicate] = loop.rest;
  return (
    predicate &&
    fold(build, loop, {
      initial: build.literal(false),
      condition: build.call('@not_strictly_false', build.call('!_', build.accumulator())),
      step: build.call('_||_', build.accumulator(), predicate),
    })
  );
}

function quantifyOne(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  const [predicate] = loop.rest;
  return (
    predicate &&
    fold(build, loop, {
      initial: build.literal(0n),
      condition: build.literal(true),
      step: build.call(
        '_?_:_',
        predicate,
        build.call('_+_', build.accumulator(), build.literal(1n)),
        build.accumulator(),
      ),
      result: build.call('_==_', build.accumulator(), build.literal(1n)),
    })
  );
}

function collect(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  return transform(build, loop, build.list(), (value) =>
    build.call('_+_', build.accumulator(), build.list(value)),
  );
}

function keep(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  const [filter] = loop.rest;
  return filter && collect(build, { ...loop, rest: [filter, loop.identifier] });
}

function collectValues(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  return transform(build, loop, build.map(), (value) =>
    build.call('cel.@mapInsert', build.accumulator(), build.identifier(loop.variable), value),
  );
}

function collectEntries(build: ExpressionBuilder, loop: Loop): Expression | undefined {
  return transform(build, loop, build.map(), (entry) =>
    build.call('cel.@mapInsert', build.accumulator(), entry),
  );
}

/** `(value)` or `(filter, value)`: what the filter refuses leaves the accumulator as it is. */
function transform(
  build: ExpressionBuilder,
  loop: Loop,
  initial: Expression,
  insert: (value: Expression) => Expression,
): Expression | undefined {
  const [first, second] = loop.rest;
  const value = second ?? first;
  if (first === undefined || value === undefined) {
    return undefined;
  }
  const condition = build.literal(true);
  const inserted = insert(value);
  const step =
    second === undefined ? inserted : build.call('_?_:_', first, inserted, build.accumulator());
  return fold(build, loop, { initial, condition, step });
}

function fold(
  build: ExpressionBuilder,
  { range, variable, secondVariable }: Loop,
  parts: {
    readonly initial: Expression;
    readonly condition: Expression;
    readonly step: Expression;
    readonly result?: Expression;
  },
): Expression {
  return build.comprehension({
    range,
    variable,
    ...(secondVariable === undefined ? {} : { secondVariable }),
    initial: parts.initial,
    condition: parts.condition,
    step: parts.step,
    result: parts.result ?? build.accumulator(),
  });
}

function optionalMap(macro: 'optMap' | 'optFlatMap'): Expand {
  return (build, target, [identifier, expression]) => {
    if (target === undefined || identifier === undefined || expression === undefined) {
      return undefined;
    }
    if (identifier.kind !== 'identifier') {
      return macroError(identifier, `${macro}() variable name must be a simple identifier`);
    }
    const value = build.memberCall('value', build.copy(target));
    const bound = bind(build, identifier.name, value, expression);
    return build.call(
      '_?_:_',
      build.memberCall('hasValue', target),
      macro === 'optMap' ? build.call('optional.of', bound) : bound,
      build.call('optional.none'),
    );
  };
}

/** A loop over an empty list whose accumulator is the variable, so that its value is computed once. */
function bind(
  build: ExpressionBuilder,
  name: string,
  value: Expression,
  expression: Expression,
): Expression {
  return build.comprehension({
    range: build.list(),
    variable: '#unused',
    accumulator: name,
    initial: value,
    condition: build.literal(false),
    step: build.identifier(name),
    result: expression,
  });
}
