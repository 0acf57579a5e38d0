/** `list.sortBy(x, key)`: the list by the keys that are computed for its elements. */
import type { Expression } from '../syntax/expression.ts';
import { type ExpressionBuilder, type Macro, macroError } from '../syntax/macro.ts';

const INPUT = '@__sortBy_input__';
const ALLOWED: readonly Expression['kind'][] = [
  'list',
  'select',
  'identifier',
  'comprehension',
  'call',
];

export const SORT_BY_MACRO: Macro = {
  name: 'sortBy',
  member: true,
  argumentCount: 2,
  expand(build, target, [variable, key]) {
    if (target === undefined || variable === undefined || key === undefined) return undefined;
    if (!ALLOWED.includes(target.kind)) {
      return macroError(
        target,
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
      );
    }
    if (variable.kind !== 'identifier')
      return macroError(variable, 'argument is not an identifier');
    const input = build.identifier(INPUT);
    const keys = mapped(build, build.copy(input), variable.name, key);
    const sorted = build.memberCall('@sortByAssociatedKeys', build.copy(input), keys);
    // A loop over nothing that gives the list a name, so that it is computed once.
    return build.comprehension({
      range: build.list(),
      variable: '#unused',
      accumulator: INPUT,
      initial: target,
      condition: build.literal(false),
      step: input,
      result: sorted,
    });
  },
};

function mapped(
  build: ExpressionBuilder,
  range: Expression,
  variable: string,
  key: Expression,
): Expression {
  return build.comprehension({
    range,
    variable,
    initial: build.list(),
    condition: build.literal(true),
    step: build.call('_+_', build.accumulator(), build.list(key)),
    result: build.accumulator(),
  });
}
