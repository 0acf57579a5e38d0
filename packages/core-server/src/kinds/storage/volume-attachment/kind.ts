import { VolumeAttachment, type VolumeAttachmentSpec } from '@tributary/api/storage-v1';
import { declarative, type FieldError, fieldError, root } from '@tributary/apimachinery';
import { defineResource, resetObjectMetaForStatus, version } from '@tributary/server/definition';
import { column, flag, tableColumns } from '../../shared/columns.ts';
import { validateSubdomain } from '../../shared/validate-names.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

const SPEC = root('spec');

export const volumeAttachmentKind = defineResource({
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  scope: 'Cluster',
  tracksGeneration: false,
  returnsDeletedObject: true,
  subresources: { status: true },
  resetFields: { status: ['metadata', 'spec'] },
  admit: { update: resetObjectMetaForStatus },
  versions: {
    v1: version({
      typed: VolumeAttachment,
      columns: tableColumns<VolumeAttachment>({
        columns: [
          // Upstream's column of the attacher has the format of a name.
          {
            name: 'Attacher',
            format: 'name',
            description: 'The driver that attaches the volume',
            cell: ({ spec }) => spec.attacher,
          },
          column(
            'PV',
            'The persistent volume',
            ({ spec }) => spec.source.persistentVolumeName ?? '',
          ),
          column('Node', 'The node', ({ spec }) => spec.nodeName),
          flag('Attached', 'Whether the volume is attached', ({ status }) => status.attached),
        ],
      }),
      ...validationHooks<VolumeAttachment>({
        hasStatus: true,
        scope: 'Cluster',
        validate: ({ spec }) => validateAttachment(spec),
        declarativeImmutable: ['spec'],
      }),
    }),
  },
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
