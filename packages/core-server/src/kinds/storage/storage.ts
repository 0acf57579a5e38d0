import { isDeepStrictEqual } from 'node:util';
import {
  StorageClass,
  VolumeAttachment,
  type VolumeAttachmentSpec,
  VolumeAttributesClass,
} from '@tributary/api/storage-v1';
import { declarative, type FieldError, fieldError, root } from '@tributary/apimachinery';
import { resetObjectMetaForStatus } from '@tributary/server/definition';
import { column, flag } from '../shared/pod-parts.ts';
import { protectedBy } from '../shared/protection.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { oneOf, validateQualifiedName, validateSubdomain } from '../shared/validate-names.ts';

const SPEC = root('spec');
const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClassKind = storedKind<StorageClass>({
  typed: StorageClass,
  metadataOnUpdate: 'twice',
  plural: 'storageclasses',
  shortNames: ['sc'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  nameOf: ({ metadata }) =>
    DEFAULT_CLASS.some((name) => metadata.annotations?.[name] === 'true')
      ? `${metadata.name} (default)`
      : undefined,
  columns: [
    column('Provisioner', 'Who makes its volumes', ({ provisioner }) => provisioner),
    column(
      'ReclaimPolicy',
      'What becomes of them',
      ({ reclaimPolicy }) => reclaimPolicy ?? 'Delete',
    ),
    column(
      'VolumeBindingMode',
      'When they are made',
      ({ volumeBindingMode }) => volumeBindingMode ?? 'Immediate',
    ),
    column(
      'AllowVolumeExpansion',
      'Whether they can grow',
      ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
    ),
  ],
  applyDefaults: (one) => {
    one.reclaimPolicy ??= 'Delete';
    one.volumeBindingMode ??= 'Immediate';
  },
  validate: ({ provisioner, reclaimPolicy, volumeBindingMode }) => [
    ...(provisioner === ''
      ? [declarative(fieldError.required(root('provisioner')))]
      : validateQualifiedName(root('provisioner'), provisioner.toLowerCase())),
    ...oneOf(root('reclaimPolicy'), reclaimPolicy, ['Delete', 'Retain']),
    ...oneOf(root('volumeBindingMode'), volumeBindingMode, ['Immediate', 'WaitForFirstConsumer']),
  ],
  declaredImmutable: ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode'],
});

export const volumeAttributesClassKind = storedKind<VolumeAttributesClass>({
  typed: VolumeAttributesClass,
  metadataOnUpdate: 'twice',
  plural: 'volumeattributesclasses',
  admit: { create: protectedBy('kubernetes.io/vac-protection') },
  shortNames: ['vac'],
  scope: 'Cluster',
  returnsDeletedObject: true,
  columns: [column('DriverName', 'Whose properties they are', ({ driverName }) => driverName)],
  validate: ({ driverName, parameters = {} }) => [
    ...(driverName === '' ? [fieldError.required(root('driverName'))] : []),
    ...(Object.keys(parameters).length === 0
      ? [fieldError.required(root('parameters'), 'must contain at least one key/value pair')]
      : []),
  ],
  validateChange: (next, live) =>
    (['driverName', 'parameters'] as const)
      .filter((name) => !isDeepStrictEqual(next[name], live[name]))
      .map((name) => fieldError.forbidden(root(name), `updates to ${name} are forbidden.`)),
});

export const volumeAttachmentKind = storedKind<VolumeAttachment>({
  typed: VolumeAttachment,
  plural: 'volumeattachments',
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  status: true,
  statusResets: ['metadata', 'spec'],
  admit: { update: resetObjectMetaForStatus },
  columns: [
    // Upstream takes who attaches it for a name, and shows it so.
    {
      name: 'Attacher',
      format: 'name',
      description: 'Who attaches it',
      cell: ({ spec }) => spec.attacher,
    },
    column('PV', 'Which volume', ({ spec }) => spec.source.persistentVolumeName ?? ''),
    column('Node', 'To which node', ({ spec }) => spec.nodeName),
    flag('Attached', 'Whether it is', ({ status }) => status.attached),
  ],
  validate: ({ spec }) => validateAttachment(spec),
  declaredImmutable: ['spec'],
});

function validateAttachment({ attacher, source, nodeName }: VolumeAttachmentSpec): FieldError[] {
  const { persistentVolumeName, inlineVolumeSpec } = source;
  const errors: FieldError[] = [];
  if (attacher === '') errors.push(declarative(fieldError.required(SPEC.child('attacher'))));
  if ((persistentVolumeName === undefined) === (inlineVolumeSpec === undefined)) {
    const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
    errors.push(fieldError.required(SPEC.child('source'), detail));
  }
  return [...errors, ...validateSubdomain(SPEC.child('nodeName'), nodeName)];
}
