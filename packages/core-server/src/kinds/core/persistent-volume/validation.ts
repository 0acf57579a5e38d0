import type { PersistentVolumeSpec } from '@tributary/api/core-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';

import { validateRequiredSupported } from '../../shared/validate-values.ts';
import { accessErrors } from '../shared/access-modes.ts';

const SPEC = root('spec');

const RECLAIM = ['Delete', 'Recycle', 'Retain'];

/** Fields of the spec that are not the volume source. */
const FIELDS_BESIDE_SOURCE = new Set([
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
]);

export function validateVolume(spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes = [], capacity } = spec;
  const errors = accessErrors(accessModes);
  if (accessModes.length === 0) errors.unshift(fieldError.required(SPEC.child('accessModes')));
  const size = SPEC.child('capacity');
  if (Object.keys(capacity ?? {}).length === 0) errors.push(fieldError.required(size));
  if (capacity?.storage === undefined || Object.keys(capacity).length > 1) {
    errors.push(fieldError.notSupported(size, capacity ?? null, ['storage']));
  }
  const policy = SPEC.child('persistentVolumeReclaimPolicy');
  errors.push(...validateRequiredSupported(spec.persistentVolumeReclaimPolicy, RECLAIM, policy));
  if (Object.keys(volumeSourceOf(spec)).length === 0) {
    errors.push(fieldError.required(SPEC, 'must specify a volume type'));
  }
  return errors;
}

export function volumeSourceOf(spec: PersistentVolumeSpec): object {
  return Object.fromEntries(
    Object.entries(spec).filter(([field]) => !FIELDS_BESIDE_SOURCE.has(field)),
  );
}
