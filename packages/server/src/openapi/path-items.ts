import type { Operation, SuccessCode } from './operation.ts';
import type { Parameter } from './parameters.ts';

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
}

export const responseTexts: Readonly<Record<SuccessCode, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
};

type PathItem<OperationForm, ParameterForm> = Record<string, OperationForm | ParameterForm[]>;

export interface PathForms<OperationForm, ParameterForm> {
  readonly operation: (operation: Operation) => OperationForm;
  readonly parameter: (parameter: Parameter) => ParameterForm;
}

/**
 * Operations by path and method; paths in order, each built on iteration. As upstream, parameters of all operations of
 * a path are listed once, beside them: clients look in both places.
 */
export function* pathItems<OperationForm, ParameterForm>(
  operations: readonly Operation[],
  forms: PathForms<OperationForm, ParameterForm>,
): Generator<[path: string, item: PathItem<OperationForm, ParameterForm>]> {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  for (const [path, onPath] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const item: Record<string, OperationForm | ParameterForm[]> = {};
    const common = commonParameters(onPath);
    for (const operation of onPath) {
      const parameters = operation.parameters.filter((one) => !common.has(keyOf(one)));
      item[operation.method] = forms.operation({
        ...operation,
        parameters: parameters.sort(byNameAndPlace),
      });
    }
    if (common.size > 0) {
      item.parameters = [...common.values()].sort(byNameAndPlace).map(forms.parameter);
    }
    yield [path, item];
  }
}

function commonParameters(operations: readonly Operation[]): Map<string, Parameter> {
  const all = operations.flatMap(({ parameters }) => parameters);
  const byKey = Map.groupBy(all, keyOf);
  const common = new Map<string, Parameter>();
  for (const [key, [first, ...others]] of byKey) {
    if (first !== undefined && others.length + 1 === operations.length) common.set(key, first);
  }
  return common;
}

function keyOf({ name, in: place }: Parameter): string {
  return `${name} ${place}`;
}

function byNameAndPlace(a: Parameter, b: Parameter): number {
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
