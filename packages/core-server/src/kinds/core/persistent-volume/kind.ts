import { isDeepStrictEqual } from 'node:util';
import { PersistentVolume } from '@tributary/api/core-v1';
import { fieldError, formatTime, root } from '@tributary/apimachinery';
import { defineResource, distinguishingEmptyMaps, version } from '@tributary/server/definition';
import { column, tableColumns } from '../../shared/columns.ts';
import { addFinalizer } from '../../shared/protection.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { accessText, classText, modeColumn, phaseText } from '../shared/volume-columns.ts';
import { validateVolume, volumeSourceOf } from './validation.ts';

const SPEC = root('spec');

export const persistentVolumeKind = defineResource({
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  scope: 'Cluster',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  subresources: { status: true },
  resetFields: { status: ['spec'] },
  admit: { create: addFinalizer('kubernetes.io/pv-protection') },
  versions: {
    v1: version({
      typed: distinguishingEmptyMaps(PersistentVolume, ['spec.capacity']),
      columns: tableColumns<PersistentVolume>({
        columns: [
          column('Capacity', 'The capacity', ({ spec }) => spec.capacity?.storage ?? '0'),
          column('Access Modes', 'The access modes', ({ spec }) => accessText(spec.accessModes)),
          column(
            'Reclaim Policy',
            'Delete, Recycle or Retain, for a released volume',
            ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
          ),
          column('Status', 'The phase of the volume', (volume) => phaseText(volume)),
          column('Claim', 'The claim that the volume is bound to', ({ spec: { claimRef } }) =>
            claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
          ),
          column('StorageClass', 'The class', classText),
          column(
            'VolumeAttributesClass',
            'The volume attributes class',
            ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
          ),
          column('Reason', 'The reason of a failure', ({ status }) => status.reason ?? ''),
        ],
        wide: [modeColumn()],
      }),
      applyDefaults: ({ spec, status }) => {
        status.phase ||= 'Pending';
        spec.persistentVolumeReclaimPolicy ||= 'Retain';
        spec.volumeMode ??= 'Filesystem';
        if (spec.hostPath) spec.hostPath.type ??= '';
      },
      prepareForCreate: (volume) => {
        volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(Date.now()) };
      },
      prepareForUpdate: (next, live) => setTransitionTime(next, live),
      ...validationHooks<PersistentVolume>({
        hasStatus: true,
        scope: 'Cluster',
        metadataOnUpdate: 'twice',
        validate: ({ spec }) => validateVolume(spec),
        validateUpdate: ({ spec }, live) => {
          if (isDeepStrictEqual(volumeSourceOf(spec), volumeSourceOf(live.spec))) return [];
          const path = SPEC.child('persistentvolumesource');
          return [fieldError.forbidden(path, `${path} is immutable after creation`)];
        },
      }),
      warnings: ({ spec }) => (spec.persistentVolumeReclaimPolicy === 'Recycle' ? [RECYCLE] : []),
    }),
  },
});

const RECYCLE =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

function setTransitionTime({ status }: PersistentVolume, live: PersistentVolume): void {
  const before = live.status.lastPhaseTransitionTime;
  if (status.phase === live.status.phase) {
    if (before !== undefined) status.lastPhaseTransitionTime ??= before;
  } else if ((status.lastPhaseTransitionTime ?? before) === before) {
    status.lastPhaseTransitionTime = formatTime(Date.now());
  }
}
