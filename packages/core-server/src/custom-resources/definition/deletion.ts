/** A definition goes after its objects: whoever removes them holds it until they are gone. */

import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { UpstreamLifecycleInput } from '@tributary/server/definition';
import { findCondition, withCondition } from './conditions/condition.ts';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';
/** What a client wants of dependents does not count for the definition itself. */
const PROPAGATION: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion']);

export function definitionLifecycle(
  nowMs: () => number,
): UpstreamLifecycleInput<CustomResourceDefinition> {
  return {
    blocksDeletion: ({ metadata }) => !metadata.deletionTimestamp,
    markDeleted: (definition) => {
      if (findCondition(definition, 'Terminating') === undefined) mark(definition, nowMs());
    },
    preconditionMismatch: ({ field, wanted, found }) =>
      `precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`,
  };
}

/** Unlike other kinds, no grace is counted and no generation. */
function mark(definition: CustomResourceDefinition, nowMs: number): void {
  const { metadata, status } = definition;
  const { deletionGracePeriodSeconds: _grace, generation, ...kept } = metadata;
  const others = (metadata.finalizers ?? []).filter((one) => !PROPAGATION.has(one));
  definition.metadata = {
    ...kept,
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
