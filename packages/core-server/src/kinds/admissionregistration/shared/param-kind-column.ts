import type { ParamKind } from '@tributary/api/admissionregistration-v1';
import type { ColumnInput } from '@tributary/server';

export function paramKindColumn(): ColumnInput<{ spec: { paramKind?: ParamKind } }> {
  return {
    name: 'ParamKind',
    description: 'The kind of the parameters',
    cell: ({ spec: { paramKind } }) =>
      paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : '<unset>',
  };
}
