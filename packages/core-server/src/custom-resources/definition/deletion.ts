/** Holds a deleted definition until its objects are deleted. */

import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { UpstreamLifecycleInput } from '@tributary/server/definition';
import { findCondition, withCondition } from './conditions/condition.ts';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
/** Propagation finalizers have no effect on a definition. */
const PROPAGATION: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion']);

export function definitionLifecycle(
  nowMs: () => number,
): UpstreamLifecycleInput<CustomResourceDefinition> {
  return {
    blocksDeletion: ({ metadata }) => !metadata.deletionTimestamp,
    markDeleted: (definition) => {
      if (findCondition(definition, 'Terminating') === undefined)
        markTerminating(definition, nowMs());
    },
    preconditionMismatch: ({ field, wanted, found }) =>
      `precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`,
  };
}

/** Unlike for other kinds, deletion sets no grace period and does not increase the generation. */
function markTerminating(definition: CustomResourceDefinition, nowMs: number): void {
  const { metadata, status } = definition;
  const { deletionGracePeriodSeconds: _grace, generation, ...rest } = metadata;
  const others = (metadata.finalizers ?? []).filter((one) => !PROPAGATION.has(one));
  definition.metadata = {
    ...rest,
    ...(generation !== undefined && { generation: generation - 1 }),
    finalizers: [...others.filter((one) => one !== CLEANUP_FINALIZER), CLEANUP_FINALIZER],
  };
  status.conditions = withCondition(
    status.conditions,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message:
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    nowMs,
  );
}
