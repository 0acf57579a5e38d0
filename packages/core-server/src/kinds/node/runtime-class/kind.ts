import { RuntimeClass } from '@tributary/api/node-v1';
import { declarative, fieldError, root } from '@tributary/apimachinery';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { validateLabel } from '../../shared/validate-names.ts';

export const runtimeClassKind = storedKind<RuntimeClass>({
  typed: RuntimeClass,
  metadataOnUpdate: 'twice',
  anyFinalizer: true,
  plural: 'runtimeclasses',
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: true,
  columns: [column('Handler', '', ({ handler }) => handler)],
  validate: ({ handler }) =>
    (handler === ''
      ? [fieldError.required(root('handler'))]
      : validateLabel(root('handler'), handler)
    ).map(declarative),
  declaredImmutable: ['handler'],
});
