import type { PersistentVolume, PersistentVolumeClaim } from '@tributary/api/core-v1';
import { column } from '../../shared/columns.ts';
import { ACCESS } from './access-modes.ts';

export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

export function modeColumn<Object extends { spec: { volumeMode?: string } }>() {
  return column<Object>(
    'VolumeMode',
    'Filesystem or Block',
    ({ spec }) => spec.volumeMode ?? '<unset>',
  );
}

/** In upstream's order, without duplicates. */
export function accessText(modes: readonly string[] | undefined): string {
  return Object.entries(ACCESS)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

export function phaseText({ metadata, status }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '');
}

export function classText({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '';
}
