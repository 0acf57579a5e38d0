import { type LabelOperator, LabelSelector } from '@tributary/apimachinery';

/** A `LabelSelector` as a field of an object. */
export interface LabelSelectorTerms {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** The same selector in the form of a query. The terms have been validated. */
export function labelSelectorText(terms: LabelSelectorTerms): string {
  const { matchLabels = {}, matchExpressions = [] } = terms;
  const labels = Object.entries(matchLabels).map(([key, value]) => ({
    key,
    operator: '=' as const,
    values: [value],
  }));
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => ({
    key,
    operator: OPERATORS.get(operator) ?? 'exists',
    values: [...new Set(values)].sort(),
  }));
  return new LabelSelector([...labels, ...expressions]).toString();
}
