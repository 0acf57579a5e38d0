import { CSINode } from '@tributary/api/storage-v1';
import { fieldError, root } from '@tributary/apimachinery';
import type { AdmissionResult, UpdateReview } from '@tributary/server';
import { defineResource, resetObjectMetaForStatus, version } from '@tributary/server/definition';
import { count, tableColumns } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';

const SPEC = root('spec');

export const csiNodeKind = defineResource({
  kind: 'CSINode',
  plural: 'csinodes',
  scope: 'Cluster',
  tracksGeneration: false,
  returnsDeletedObject: true,
  subresources: { status: true },
  resetFields: { status: ['metadata', 'spec'] },
  admit: { update: dropStorageHealth },
  versions: {
    v1: version({
      typed: CSINode,
      columns: tableColumns<CSINode>({
        columns: [count('Drivers', 'The number of drivers', ({ spec }) => spec.drivers?.length)],
      }),
      ...validationHooks<CSINode>({
        hasStatus: true,
        scope: 'Cluster',
        validate: ({ spec }) =>
          (spec.drivers ?? []).flatMap(({ name, nodeID }, index) => {
            const at = SPEC.child('drivers').index(index);
            return [
              ...(name === '' ? [fieldError.required(at.child('name'))] : []),
              ...(nodeID === '' ? [fieldError.required(at.child('nodeID'))] : []),
            ];
          }),
      }),
    }),
  },
});

/** Upstream's feature gate for the health is off by default. */
function dropStorageHealth(review: UpdateReview<CSINode>): AdmissionResult {
  if (review.subresource === 'status') review.object.status = {};
  return resetObjectMetaForStatus(review);
}
