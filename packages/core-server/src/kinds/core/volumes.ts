import { isDeepStrictEqual } from 'node:util';
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeClaimSpec,
  type PersistentVolumeSpec,
} from '@tributary/api/core-v1';
import { type FieldError, fieldError, formatTime, root } from '@tributary/apimachinery';
import { noticingEmptyMaps } from '@tributary/server/definition';
import { withLines } from '../shared/internal-form/spec-change.ts';
import { column } from '../shared/pod-parts.ts';
import { protectedBy } from '../shared/protection.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { oneOf } from '../shared/validate-names.ts';

const SPEC = root('spec');
const ACCESS: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const MODES = Object.keys(ACCESS).sort();
const RECLAIM = ['Delete', 'Recycle', 'Retain'];
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** What of a volume is not about where its data is. */
const NOT_THE_PLACE = new Set([
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

export const persistentVolumeKind = storedKind<PersistentVolume>({
  typed: noticingEmptyMaps(PersistentVolume, ['spec.capacity']),
  metadataOnUpdate: 'twice',
  plural: 'persistentvolumes',
  admit: { create: protectedBy('kubernetes.io/pv-protection') },
  shortNames: ['pv'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  status: true,
  columns: [
    column('Capacity', 'How much fits', ({ spec }) => spec.capacity?.storage ?? '0'),
    column('Access Modes', 'Who may use it together', ({ spec }) => accessText(spec.accessModes)),
    column(
      'Reclaim Policy',
      'What becomes of it when nobody claims it',
      ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
    ),
    column('Status', 'Whether it is claimed', (volume) => phaseText(volume)),
    column('Claim', 'By whom it is claimed', ({ spec: { claimRef } }) =>
      claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
    ),
    column('StorageClass', 'Of which class it is', classText),
    column(
      'VolumeAttributesClass',
      'Of which class its properties are',
      ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
    ),
    column('Reason', 'Why it is not well', ({ status }) => status.reason ?? ''),
  ],
  wideColumns: [modeColumn()],
  applyDefaults: ({ spec, status }) => {
    status.phase ||= 'Pending';
    spec.persistentVolumeReclaimPolicy ||= 'Retain';
    spec.volumeMode ??= 'Filesystem';
    if (spec.hostPath) spec.hostPath.type ??= '';
  },
  prepareForCreate: (volume) => {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(Date.now()) };
  },
  prepareForUpdate: (next, live) => noteTransition(next, live),
  validate: ({ spec }) => validateVolume(spec),
  validateChange: ({ spec }, live) => {
    if (isDeepStrictEqual(placeOf(spec), placeOf(live.spec))) return [];
    const path = SPEC.child('persistentvolumesource');
    const change = { before: live.spec, after: spec };
    const words = `${path} is immutable after creation`;
    return [fieldError.forbidden(path, withLines(words, 'PersistentVolumeSource', change))];
  },
  warnings: ({ spec }) => (spec.persistentVolumeReclaimPolicy === 'Recycle' ? [RECYCLE] : []),
});

const RECYCLE =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

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

const FIXED =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

function modeColumn<Object extends { spec: { volumeMode?: string } }>() {
  return column<Object>(
    'VolumeMode',
    'Whether it has files or blocks',
    ({ spec }) => spec.volumeMode ?? '<unset>',
  );
}

/** In upstream's order, each once. */
function accessText(modes: readonly string[] | undefined): string {
  return Object.entries(ACCESS)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phaseText({ metadata, status }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '');
}

function classText({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '';
}

function noteTransition({ status }: PersistentVolume, live: PersistentVolume): void {
  const before = live.status.lastPhaseTransitionTime;
  if (status.phase === live.status.phase) {
    if (before !== undefined) status.lastPhaseTransitionTime ??= before;
  } else if ((status.lastPhaseTransitionTime ?? before) === before) {
    status.lastPhaseTransitionTime = formatTime(Date.now());
  }
}

function accessErrors(modes: readonly string[] | undefined): FieldError[] {
  return (modes ?? [])
    .filter((mode) => !MODES.includes(mode))
    .map((mode) => fieldError.notSupported(SPEC.child('accessModes'), mode, MODES));
}

function validateVolume(spec: PersistentVolumeSpec): FieldError[] {
  const { accessModes = [], capacity } = spec;
  const errors = accessErrors(accessModes);
  if (accessModes.length === 0) errors.unshift(fieldError.required(SPEC.child('accessModes')));
  const size = SPEC.child('capacity');
  if (Object.keys(capacity ?? {}).length === 0) errors.push(fieldError.required(size));
  if (capacity?.storage === undefined || Object.keys(capacity).length > 1) {
    errors.push(fieldError.notSupported(size, capacity ?? null, ['storage']));
  }
  const policy = SPEC.child('persistentVolumeReclaimPolicy');
  errors.push(...oneOf(policy, spec.persistentVolumeReclaimPolicy, RECLAIM));
  if (Object.keys(placeOf(spec)).length === 0) {
    errors.push(fieldError.required(SPEC, 'must specify a volume type'));
  }
  return errors;
}

function placeOf(spec: PersistentVolumeSpec): object {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !NOT_THE_PLACE.has(field)));
}

function validateClaim({ accessModes = [], resources }: PersistentVolumeClaimSpec): FieldError[] {
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

function validateClaimChange(
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
