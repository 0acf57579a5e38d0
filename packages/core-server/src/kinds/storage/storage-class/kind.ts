import { StorageClass } from '@tributary/api/storage-v1';
import { declarative, fieldError, root } from '@tributary/apimachinery';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { validateQualifiedName } from '../../shared/validate-names.ts';
import { validateRequiredSupported } from '../../shared/validate-values.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClassKind = defineResource({
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  scope: 'Cluster',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  versions: {
    v1: version({
      typed: StorageClass,
      columns: tableColumns<StorageClass>({
        columns: [
          column('Provisioner', 'The provisioner of volumes', ({ provisioner }) => provisioner),
          column(
            'ReclaimPolicy',
            'Delete or Retain, for released volumes',
            ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
          ),
          column(
            'VolumeBindingMode',
            'Immediate or WaitForFirstConsumer',
            ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
          ),
          column(
            'AllowVolumeExpansion',
            'Whether volumes can be expanded',
            ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
          ),
        ],
        nameOf: ({ metadata }) =>
          DEFAULT_CLASS.some((name) => metadata.annotations?.[name] === 'true')
            ? `${metadata.name} (default)`
            : undefined,
      }),
      applyDefaults: (one) => {
        one.reclaimPolicy ??= 'Delete';
        one.volumeBindingMode ??= 'Immediate';
      },
      ...validationHooks<StorageClass>({
        scope: 'Cluster',
        metadataOnUpdate: 'twice',
        validate: ({ provisioner, reclaimPolicy, volumeBindingMode }) => [
          ...(provisioner === ''
            ? [declarative(fieldError.required(root('provisioner')))]
            : validateQualifiedName(root('provisioner'), provisioner.toLowerCase())),
          ...validateRequiredSupported(reclaimPolicy, ['Delete', 'Retain'], root('reclaimPolicy')),
          ...validateRequiredSupported(
            volumeBindingMode,
            ['Immediate', 'WaitForFirstConsumer'],
            root('volumeBindingMode'),
          ),
        ],
        declarativeImmutable: ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'],
      }),
    }),
  },
});
