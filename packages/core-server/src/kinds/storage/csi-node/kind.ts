import { CSINode } from '@tributary/api/storage-v1';
import { fieldError, root } from '@tributary/apimachinery';
import type { UpdateReview, AdmissionResult } from '@tributary/server';
import { resetObjectMetaForStatus } from '@tributary/server/definition';
import { count } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';

const SPEC = root('spec');

export const csiNodeKind = storedKind<CSINode>({
  typed: CSINode,
  plural: 'csinodes',
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  status: true,
  statusResets: ['metadata', 'spec'],
  admit: { update: dropStorageHealth },
  columns: [count('Drivers', 'How many drivers it has', ({ spec }) => spec.drivers?.length)],
  validate: ({ spec }) =>
    (spec.drivers ?? []).flatMap(({ name, nodeID }, index) => {
      const at = SPEC.child('drivers').index(index);
      return [
        ...(name === '' ? [fieldError.required(at.child('name'))] : []),
        ...(nodeID === '' ? [fieldError.required(at.child('nodeID'))] : []),
      ];
    }),
});

/** Upstream stores the health only with a feature gate that is off by default. */
function dropStorageHealth(review: UpdateReview<CSINode>): AdmissionResult {
  if (review.subresource === 'status') review.object.status = {};
  return resetObjectMetaForStatus(review);
}
