import { RuntimeClass } from '@tributary/api/node-v1';
import { declarative, fieldError, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { validateLabel } from '../../shared/validate-names.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

export const runtimeClassKind = defineResource({
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  scope: 'Cluster',
  tracksGeneration: false,
  allowCreateOnUpdate: true,
  versions: {
    v1: version({
      typed: RuntimeClass,
      columns: tableColumns<RuntimeClass>({
        columns: [column('Handler', '', ({ handler }) => handler)],
      }),
      ...validationHooks<RuntimeClass>({
        scope: 'Cluster',
        metadataOnUpdate: 'twice',
        anyFinalizer: true,
        validate: ({ handler }) =>
          (handler === ''
            ? [fieldError.required(root('handler'))]
            : validateLabel(root('handler'), handler)
          ).map(declarative),
        declarativeImmutable: ['handler'],
      }),
    }),
  },
});
