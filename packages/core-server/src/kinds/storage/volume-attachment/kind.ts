import { VolumeAttachment, type VolumeAttachmentSpec } from '@tributary/api/storage-v1';
import { declarative, type FieldError, fieldError, root } from '@tributary/apimachinery';
import { resetObjectMetaForStatus } from '@tributary/server/definition';
import { column, flag } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { validateSubdomain } from '../../shared/validate-names.ts';

const SPEC = root('spec');

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
