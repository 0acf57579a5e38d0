import { isDeepStrictEqual } from 'node:util';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@tributary/api/core-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import { withLines } from '../../shared/internal-form/spec-change.ts';
import { accessErrors } from '../shared/access-modes.ts';
import { CLASS_ANNOTATION } from '../shared/volume-columns.ts';

const SPEC = root('spec');

const FIXED =
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
  // Whoever binds a claim names its volume, once.
  if (!before.volumeName && next.spec.volumeName) before.volumeName = next.spec.volumeName;
  const after = fixedPart(next, live);
  if (isDeepStrictEqual(before, after)) return [];
  const words = withLines(FIXED, 'PersistentVolumeClaimSpec', { before, after });
  return [fieldError.forbidden(SPEC, words)];
}

/** The spec as it would be without those changes that are allowed: of a class that was not said, and once bound, of more. */
function fixedPart(
  { metadata, spec, status }: PersistentVolumeClaim,
  live: PersistentVolumeClaim,
): PersistentVolumeClaimSpec {
  const kept: (keyof PersistentVolumeClaimSpec)[] = [];
  const annotated = metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName;
  const isFirstClass = live.spec.storageClassName === undefined && spec.storageClassName;
  if (isFirstClass && annotated === spec.storageClassName) kept.push('storageClassName');
  if (status.phase !== 'Bound') return withLive(spec, live.spec, kept);
  const fixed = withLive(spec, live.spec, [...kept, 'volumeAttributesClassName']);
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
