import type { Declarations } from '../declarations/declarations.ts';
import type { FunctionDeclaration } from '../declarations/library.ts';
import { checkFormatCall } from '../library/format-check.ts';
import { compileRegexp } from '../regexp/regexp.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/source.ts';
import { CelError } from '../values/errors.ts';
import { formatType } from '../values/type-format.ts';
import { parametersOf, runtimeName, type Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import { typeOfValue } from '../values/value.ts';
import type { Checked } from './checker.ts';

/** Errors that need types: invalid times and patterns, and mixed lists and maps. */
export function validateLiterals(
  checked: Checked,
  environment: Pick<Declarations, 'function' | 'homogeneousLiterals'>,
): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (id: number, message: string) =>
    issues.push({ offset: checked.positions.get(id), message });
  const visit = (expression: Expression, mixed: boolean): void => {
    if (expression.kind === 'call') {
      validateArgument(expression, environment, report);
      validateFormat(expression, checked, report);
    } else if (expression.kind === 'list' && !mixed) {
      validateElements(expression, checked, report);
    } else if (expression.kind === 'map' && !mixed) {
      validateEntries(expression, checked, report);
    }
    const within = mixed || (expression.kind === 'call' && MIXING.has(expression.name));
    for (const child of childrenOf(expression)) {
      visit(child, within);
    }
  };
  visit(checked.expression, !environment.homogeneousLiterals);
  return issues;
}

/** Functions whose arguments may be lists of different types. */
const MIXING: ReadonlySet<string> = new Set(['format']);

function validateFormat(expression: Expression, checked: Checked, report: Report): void {
  const complaint = checkFormatCall(expression, (id) => checked.types.get(id) as Type);
  if (complaint !== undefined) {
    report(complaint.at, complaint.message);
  }
}

type Report = (id: number, message: string) => void;

/** Upstream looks at the first argument that is not the receiver, also of `matches(text, pattern)`. */
function validateArgument(
  { name, args }: Expression & { kind: 'call' },
  environment: Pick<Declarations, 'function'>,
  report: Report,
): void {
  const [argument] = args;
  if (argument?.kind !== 'literal') {
    return;
  }
  const valid =
    name === 'matches'
      ? typeof argument.value !== 'string' || compileRegexp(argument.value).ok
      : (name !== 'duration' && name !== 'timestamp') ||
        converts(environment.function(name), argument.value);
  if (!valid) {
    report(argument.id, `invalid ${name} argument`);
  }
}

function converts(declaration: FunctionDeclaration | undefined, value: Value): boolean {
  const type = runtimeName(typeOfValue(value));
  const overload = declaration?.overloads.find(({ parameters: [parameter] }) => {
    return parameter !== undefined && runtimeName(parameter) === type;
  });
  // A constant is as long as the text of the expression allows.
  const result = overload?.call?.([value], () => {});
  return result !== undefined && !(result instanceof CelError);
}

function validateElements(
  { elements, optional }: Expression & { kind: 'list' },
  checked: Checked,
  report: Report,
): void {
  let expected: Type | undefined;
  for (const [index, element] of elements.entries()) {
    const type = typeOfPart(checked, element, optional.includes(index));
    expected ??= type;
    if (!equivalent(expected, type)) {
      report(element.id, mismatch(expected, type));
      return;
    }
  }
}

function validateEntries(
  { entries }: Expression & { kind: 'map' },
  checked: Checked,
  report: Report,
): void {
  let expected: { readonly key: Type; readonly value: Type } | undefined;
  for (const entry of entries) {
    const key = typeOfPart(checked, entry.key, false);
    const value = typeOfPart(checked, entry.value, entry.optional);
    expected ??= { key, value };
    if (!equivalent(expected.key, key)) {
      report(entry.key.id, mismatch(expected.key, key));
    }
    if (!equivalent(expected.value, value)) {
      report(entry.value.id, mismatch(expected.value, value));
    }
  }
}

function typeOfPart(checked: Checked, { id }: Expression, optional: boolean): Type {
  const type = checked.types.get(id) as Type;
  return optional ? (parametersOf(type)[0] ?? type) : type;
}

function mismatch(expected: Type, found: Type): string {
  return `expected type '${formatType(expected)}' but found '${formatType(found)}'`;
}

/** The same type, whatever the names of its variables. */
function equivalent(left: Type, right: Type): boolean {
  const [ours, theirs] = [parametersOf(left), parametersOf(right)];
  return (
    left.kind === right.kind &&
    ours.length === theirs.length &&
    (left.kind === 'parameter' || runtimeName(left) === runtimeName(right)) &&
    ours.every((type, index) => equivalent(type, theirs[index] as Type))
  );
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand];
    case 'call':
      return expression.target === undefined
        ? expression.args
        : [expression.target, ...expression.args];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.fields.map(({ value }) => value);
    case 'comprehension': {
      const { range, initial, condition, step, result } = expression;
      return [range, initial, condition, step, result];
    }
    default:
      return [];
  }
}
