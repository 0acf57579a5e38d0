import { StorageClass } from '@tributary/api/storage-v1';
import { declarative, fieldError, root } from '@tributary/apimachinery';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { oneOf, validateQualifiedName } from '../../shared/validate-names.ts';

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClassKind = storedKind<StorageClass>({
  typed: StorageClass,
  metadataOnUpdate: 'twice',
  plural: 'storageclasses',
  shortNames: ['sc'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  nameOf: ({ metadata }) =>
    DEFAULT_CLASS.some((name) => metadata.annotations?.[name] === 'true')
      ? `${metadata.name} (default)`
      : undefined,
  columns: [
    column('Provisioner', 'Who makes its volumes', ({ provisioner }) => provisioner),
    column(
      'ReclaimPolicy',
      'What becomes of them',
      ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
    ),
    column(
      'VolumeBindingMode',
      'When they are made',
      ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
    ),
    column(
      'AllowVolumeExpansion',
      'Whether they can grow',
      ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
    ),
  ],
  applyDefaults: (one) => {
    one.reclaimPolicy ??= 'Delete';
    one.volumeBindingMode ??= 'Immediate';
  },
  validate: ({ provisioner, reclaimPolicy, volumeBindingMode }) => [
    ...(provisioner === ''
      ? [declarative(fieldError.required(root('provisioner')))]
      : validateQualifiedName(root('provisioner'), provisioner.toLowerCase())),
    ...oneOf(root('reclaimPolicy'), reclaimPolicy, ['Delete', 'Retain']),
    ...oneOf(root('volumeBindingMode'), volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ],
  declaredImmutable: ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'],
});
