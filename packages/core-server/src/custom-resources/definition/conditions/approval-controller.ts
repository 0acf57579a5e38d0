import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ControllerDependencies } from '@tributary/client/controller';
import { type Approval, approvalOf, isProtectedGroup } from '../api-approval.ts';
import { type Condition, hasCondition, withCondition } from './condition.ts';
import { runDefinitionController } from './definition-controller.ts';

const REASONS: Readonly<Record<Approval['state'], string>> = {
  invalid: 'InvalidAnnotation',
  missing: 'MissingAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
};

/** Sets the condition KubernetesAPIApprovalPolicyConformant of definitions in protected groups. */
export function runApprovalController(dependencies: ControllerDependencies): Promise<void> {
  const { clock } = dependencies;
  return runDefinitionController(
    {
      name: 'custom-resource-approval',
      concurrency: 1,
      isDue: (definition) => {
        const condition = approvalCondition(definition);
        return condition !== undefined && !hasCondition(definition, condition);
      },
      nextStatus: (definition) => {
        const { status } = definition;
        const condition = approvalCondition(definition);
        if (condition === undefined) return undefined;
        const conditions = withCondition(status.conditions, condition, clock.nowMs());
        return { ...status, conditions };
      },
    },
    dependencies,
  );
}

export function approvalCondition({
  spec,
  metadata,
}: Pick<CustomResourceDefinition, 'spec' | 'metadata'>): Condition | undefined {
  if (!isProtectedGroup(spec.group)) return undefined;
  const { state, message } = approvalOf(metadata);
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: REASONS[state],
    message,
  };
}
