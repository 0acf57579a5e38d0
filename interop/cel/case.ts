/** One expression with its variables, as the judge and our own implementation are asked. */
export interface CelCase {
  readonly name: string;
  readonly expression: string;
  /** A structural schema makes it a rule of a custom resource, with the variables `self` and `oldSelf`. */
  readonly schema?: object;
  /** JSON text, so that 1 and 1.0 stay different, and large integers exact. */
  readonly self?: string;
  readonly oldSelf?: string;
  /** `oldSelf` is optional, as `optionalOldSelf: true` makes it. */
  readonly optionalOldSelf?: boolean;
  /** Without a schema: the JSON text of `object`, which is of any type; `authorizer` is there too. */
  readonly object?: string;
}

/** Expressions without a schema. */
export function plain(
  group: string,
  expressions: readonly string[],
  options: { readonly object?: unknown } = {},
): CelCase[] {
  const { object } = options;
  return expressions.map((expression) => ({
    name: `${group}: ${shortened(expression)}`,
    expression,
    ...(object !== undefined && { object: textOf(object) }),
  }));
}

export interface RuleData {
  readonly schema: object;
  readonly self: unknown;
  readonly oldSelf?: unknown;
  readonly optionalOldSelf?: boolean;
}

/** Rules of one schema and the same data. */
export function rules(group: string, data: RuleData, expressions: readonly string[]): CelCase[] {
  const { schema, self, oldSelf, optionalOldSelf } = data;
  return expressions.map((expression) => ({
    name: `${group}: ${shortened(expression)}`,
    expression,
    schema,
    self: textOf(self),
    ...(oldSelf !== undefined && { oldSelf: textOf(oldSelf) }),
    ...(optionalOldSelf !== undefined && { optionalOldSelf }),
  }));
}

/** JSON that JavaScript has no value for, such as 1.0 or 9223372036854775807. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function textOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

const NAME_LENGTH_MAX = 160;

function shortened(expression: string): string {
  if (expression.length <= NAME_LENGTH_MAX) return expression;
  return `${expression.slice(0, NAME_LENGTH_MAX)}… (${expression.length})`;
}
