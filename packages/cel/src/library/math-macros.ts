/** `math.greatest(…)` and `math.least(…)` with any number of arguments. */
import type { Expression } from '../syntax/expression.ts';
import { type Macro, macroError } from '../syntax/macro.ts';
import { isNumeric } from '../values/numbers.ts';

export const MATH_MACROS: readonly Macro[] = [
  extreme('least', 'math.@min'),
  extreme('greatest', 'math.@max'),
];

function extreme(name: 'least' | 'greatest', becomes: string): Macro {
  return {
    name,
    member: true,
    argumentCount: undefined,
    expand(build, target, args) {
      if (target?.kind !== 'identifier' || target.name !== 'math') return undefined;
      const [first, second] = args;
      if (first === undefined) {
        return macroError(target, `math.${name}() requires at least one argument`);
      }
      if (second === undefined) {
        return isNumericList(first) || mayBeNumeric(first)
          ? build.call(becomes, first)
          : macroError(first, `math.${name}() invalid single argument value`);
      }
      const wrong = args.find((argument) => !mayBeNumeric(argument));
      if (wrong !== undefined) {
        return macroError(wrong, `math.${name}() simple literal arguments must be numeric`);
      }
      return args.length === 2
        ? build.call(becomes, first, second)
        : build.call(becomes, build.list(...args));
    },
  };
}

/** Of what is not written out, the types will tell. */
function mayBeNumeric(argument: Expression): boolean {
  switch (argument.kind) {
    case 'literal':
      return isNumeric(argument.value);
    case 'list':
    case 'map':
    case 'struct':
      return false;
    default:
      return true;
  }
}

function isNumericList(argument: Expression): boolean {
  return (
    argument.kind === 'list' &&
    argument.elements.length > 0 &&
    argument.elements.every(mayBeNumeric)
  );
}
