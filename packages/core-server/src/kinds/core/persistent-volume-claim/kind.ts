import { PersistentVolumeClaim } from '@tributary/api/core-v1';
import { defineResource, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { protectedBy } from '../../shared/protection.ts';
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
  admit: { create: protectedBy('kubernetes.io/pvc-protection') },
  versions: {
    v1: version({
      typed: PersistentVolumeClaim,
      columns: tableColumns<PersistentVolumeClaim>({
        columns: [
          column('Status', 'Whether it has a volume', (claim) => phaseText(claim)),
          column('Volume', 'Which volume it has', ({ spec }) => spec.volumeName ?? ''),
          column('Capacity', 'How much fits', ({ spec, status }) =>
            spec.volumeName ? (status.capacity?.storage ?? '0') : '',
          ),
          column('Access Modes', 'Who may use it together', ({ spec, status }) =>
            spec.volumeName ? accessText(status.accessModes) : '',
          ),
          column('StorageClass', 'Of which class its volume is', classText),
          column(
            'VolumeAttributesClass',
            'Of which class the properties of its volume are',
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
