import type { ParamKind } from '@tributary/api/admissionregistration-v1';
import type { ColumnInput } from '@tributary/server';

export function paramKindColumn(): ColumnInput<{ spec: { paramKind?: ParamKind } }> {
  return {
    name: 'ParamKind',
    description: 'Of which kind its parameters are',
    cell: ({ spec: { paramKind } }) =>
      paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : '<unset>',
  };
}
