import { PersistentVolumeClaim } from '@tributary/api/core-v1';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { addFinalizer } from '../../shared/protection.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { accessText, classText, modeColumn, phaseText } from '../shared/volume-columns.ts';
import { validateClaim, validateClaimChange } from './validation.ts';

export const persistentVolumeClaimKind = defineResource({
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  scope: 'Namespaced',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  admit: { create: addFinalizer('kubernetes.io/pvc-protection') },
  versions: {
    v1: version({
      typed: PersistentVolumeClaim,
      columns: tableColumns<PersistentVolumeClaim>({
        columns: [
          column('Status', 'The phase of the claim', (claim) => phaseText(claim)),
          column(
            'Volume',
            'The volume that the claim is bound to',
            ({ spec }) => spec.volumeName ?? '',
          ),
          column('Capacity', 'The capacity', ({ spec, status }) =>
            spec.volumeName ? (status.capacity?.storage ?? '0') : '',
          ),
          column('Access Modes', 'The access modes', ({ spec, status }) =>
            spec.volumeName ? accessText(status.accessModes) : '',
          ),
          column('StorageClass', 'The storage class', classText),
          column(
            'VolumeAttributesClass',
            'The volume attributes class',
            ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
          ),
        ],
        wide: [modeColumn()],
      }),
      applyDefaults: ({ spec, status }) => {
        status.phase ||= 'Pending';
        spec.volumeMode ??= 'Filesystem';
      },
      prepareForCreate: (claim) => {
        claim.status = { phase: 'Pending' };
      },
      ...validationHooks<PersistentVolumeClaim>({
        hasStatus: true,
        metadataOnUpdate: 'twice',
        validate: ({ spec }) => validateClaim(spec),
        validateUpdate: validateClaimChange,
      }),
    }),
  },
});
