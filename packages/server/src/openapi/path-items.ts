import type { Operation, SuccessCode } from './operations.ts';
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

/** Operations by path and method, with what a path's operations share written once; paths in order. */
export function pathItems<OperationForm, ParameterForm>(
  operations: readonly Operation[],
  operationForm: (operation: Operation) => OperationForm,
  parameterForm: (parameter: Parameter) => ParameterForm,
): Record<string, Record<string, OperationForm | ParameterForm[]>> {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  const items = [...byPath].map(([path, [first, ...rest]]) => {
    const item: Record<string, OperationForm | ParameterForm[]> = {};
    if (first === undefined) return [path, item] as const;
    for (const operation of [first, ...rest]) item[operation.method] = operationForm(operation);
    if (first.pathParameters.length > 0) {
      item.parameters = first.pathParameters.map(parameterForm);
    }
    return [path, item] as const;
  });
  return Object.fromEntries(items.sort(([a], [b]) => (a < b ? -1 : 1)));
}
