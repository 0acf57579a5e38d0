import { PersistentVolumeClaim } from '@tributary/api/core-v1';
import { column } from '../../shared/columns.ts';
import { protectedBy } from '../../shared/protection.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { accessText, classText, modeColumn, phaseText } from '../shared/volume-columns.ts';
import { validateClaim, validateClaimChange } from './validation.ts';

export const persistentVolumeClaimKind = storedKind<PersistentVolumeClaim>({
  typed: PersistentVolumeClaim,
  metadataOnUpdate: 'twice',
  plural: 'persistentvolumeclaims',
  admit: { create: protectedBy('kubernetes.io/pvc-protection') },
  shortNames: ['pvc'],
  returnsDeletedObject: true,
  status: true,
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
  wideColumns: [modeColumn()],
  applyDefaults: ({ spec, status }) => {
    status.phase ||= 'Pending';
    spec.volumeMode ??= 'Filesystem';
  },
  prepareForCreate: (claim) => {
    claim.status = { phase: 'Pending' };
  },
  validate: ({ spec }) => validateClaim(spec),
  validateChange: validateClaimChange,
});
