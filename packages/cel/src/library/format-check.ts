/** Complaints about `'…'.format([…])` that can be made before it is evaluated. */
import type { Expression } from '../syntax/expression.ts';
import { runtimeName, type Type } from '../values/types.ts';
import { type Clause, FormatError, interpretFormat } from './format-clauses.ts';
import { REFUSALS } from './string-format.ts';

export interface FormatComplaint {
  readonly message: string;
  /** The id of the expression that it stands under. */
  readonly at: number;
}

/** Of a call whose text and list of arguments are written out; nothing for any other. */
export function checkFormatCall(
  call: Expression,
  typeOf: (id: number) => Type,
): FormatComplaint | undefined {
  const parts = formatParts(call);
  if (parts === undefined) return undefined;
  const { pattern, args } = parts;
  const checked = interpretFormat(pattern, {
    count: args.length,
    format(clause, index) {
      const argument = args[index];
      return argument === undefined ? '' : (checkArgument(clause, argument, typeOf) ?? '');
    },
  });
  if (checked instanceof FormatError) {
    return { message: checked.message, at: checked.at ?? call.id };
  }
  if (args.length <= checked.clauses) return undefined;
  const counts = `(expected ${checked.clauses}, got ${args.length})`;
  return { message: `too many arguments supplied to string.format ${counts}`, at: call.id };
}

function formatParts(
  call: Expression,
): { readonly pattern: string; readonly args: readonly Expression[] } | undefined {
  if (call.kind !== 'call' || call.name !== 'format' || call.args.length !== 1) return undefined;
  const [list] = call.args;
  if (call.target?.kind !== 'literal' || typeof call.target.value !== 'string') return undefined;
  return list?.kind === 'list' ? { pattern: call.target.value, args: list.elements } : undefined;
}

type Kinds = readonly Type['kind'][];

const INTEGERS: Kinds = ['int', 'uint'];
/** Strings are for "NaN" and the infinities. */
const DOUBLES: Kinds = ['double', 'string'];
const TEXTS: Kinds = [
  ...INTEGERS,
  ...DOUBLES,
  'list',
  'map',
  'bool',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];

function checkArgument(
  { verb }: Clause,
  argument: Expression,
  typeOf: (id: number) => Type,
): FormatError | undefined {
  switch (verb) {
    case 's':
      return checkText(argument, typeOf);
    case 'd':
      return oneOf(argument, typeOf, INTEGERS, REFUSALS.decimal);
    case 'f':
      return oneOf(argument, typeOf, DOUBLES, REFUSALS.fixed);
    case 'e':
      return oneOf(argument, typeOf, DOUBLES, REFUSALS.scientific);
    case 'b':
      return oneOf(argument, typeOf, [...INTEGERS, 'bool'], REFUSALS.binary);
    case 'x':
    case 'X':
      return oneOf(argument, typeOf, [...INTEGERS, 'string', 'bytes'], REFUSALS.hexadecimal);
    case 'o':
      return oneOf(argument, typeOf, INTEGERS, REFUSALS.octal);
  }
}

function oneOf(
  argument: Expression,
  typeOf: (id: number) => Type,
  kinds: Kinds,
  refuse: (type: string) => FormatError,
): FormatError | undefined {
  const type = typeOf(argument.id);
  if (type.kind === 'dyn' || kinds.includes(type.kind)) return undefined;
  return new FormatError(refuse(runtimeName(type)).message, argument.id);
}

/** Lists and maps that are written out are looked into. */
function checkText(argument: Expression, typeOf: (id: number) => Type): FormatError | undefined {
  const refused = oneOf(argument, typeOf, TEXTS, REFUSALS.text);
  if (refused !== undefined) return refused;
  for (const inner of innerExpressions(argument)) {
    const found = checkText(inner, typeOf);
    if (found !== undefined) return found;
  }
  return undefined;
}

function innerExpressions(argument: Expression): readonly Expression[] {
  if (argument.kind === 'list') return argument.elements;
  return argument.kind === 'map' ? argument.entries.flatMap(({ key, value }) => [key, value]) : [];
}
