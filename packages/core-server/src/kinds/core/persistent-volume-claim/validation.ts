import { isDeepStrictEqual } from 'node:util';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@tributary/api/core-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import { accessErrors } from '../shared/access-modes.ts';
import { CLASS_ANNOTATION } from '../shared/volume-columns.ts';

const SPEC = root('spec');

const IMMUTABLE_SPEC =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

export function validateClaim({
  accessModes = [],
  resources,
}: PersistentVolumeClaimSpec): FieldError[] {
  const path = SPEC.child('resources').key('storage');
  const storage = resources.requests?.storage;
  const errors = accessErrors(accessModes);
  if (accessModes.length === 0) {
    errors.push(
      fieldError.required(SPEC.child('accessModes'), 'at least 1 access mode is required'),
    );
  }
  if (storage === undefined) errors.push(fieldError.required(path));
  else if (storage.startsWith('-') || storage === '0') {
    errors.push(fieldError.invalid(path, storage, 'must be greater than zero'));
  }
  return errors;
}

export function validateClaimChange(
  next: PersistentVolumeClaim,
  live: PersistentVolumeClaim,
): FieldError[] {
  const before = { ...live.spec };
  // Binding sets the volume name once.
  if (!before.volumeName && next.spec.volumeName) before.volumeName = next.spec.volumeName;
  const after = withoutPermittedChanges(next, live);
  if (isDeepStrictEqual(before, after)) return [];
  return [fieldError.forbidden(SPEC, IMMUTABLE_SPEC)];
}

/** The new spec with permitted changes undone: a class that was not set, and more once it is bound. */
function withoutPermittedChanges(
  { metadata, spec, status }: PersistentVolumeClaim,
  live: PersistentVolumeClaim,
): PersistentVolumeClaimSpec {
  const permitted: (keyof PersistentVolumeClaimSpec)[] = [];
  const annotated = metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName;
  const isFirstClass = live.spec.storageClassName === undefined && spec.storageClassName;
  if (isFirstClass && annotated === spec.storageClassName) permitted.push('storageClassName');
  if (status.phase !== 'Bound') return withLive(spec, live.spec, permitted);
  const fixed = withLive(spec, live.spec, [...permitted, 'volumeAttributesClassName']);
  const { requests } = fixed.resources;
  const storage = live.spec.resources.requests?.storage;
  if (requests === undefined || storage === undefined) return fixed;
  return { ...fixed, resources: { ...fixed.resources, requests: { ...requests, storage } } };
}

function withLive(
  next: PersistentVolumeClaimSpec,
  live: PersistentVolumeClaimSpec,
  fields: readonly (keyof PersistentVolumeClaimSpec)[],
): PersistentVolumeClaimSpec {
  const result = { ...next };
  for (const field of fields) {
    if (live[field] === undefined) delete result[field];
    else Object.assign(result, { [field]: live[field] });
  }
  return result;
}
