import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from '@tributary/api/apiextensions-v1';
import { formatTime } from '@tributary/apimachinery';

type ConditionType =
  | 'NamesAccepted'
  | 'Established'
  | 'Terminating'
  | 'NonStructuralSchema'
  | 'OpenAPIPublished'
  | 'KubernetesAPIApprovalPolicyConformant';

export interface Condition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

type WithStatus = Pick<CustomResourceDefinition, 'status'>;

export function findCondition(
  { status }: WithStatus,
  type: ConditionType,
): CustomResourceDefinitionCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: WithStatus, type: ConditionType): boolean {
  return findCondition(definition, type)?.status === 'True';
}

/** Whether the definition has this very condition. */
export function hasCondition(
  definition: WithStatus,
  { type, status, reason, message }: Condition,
): boolean {
  const found = findCondition(definition, type);
  return found?.status === status && found.reason === reason && found.message === message;
}

/** Replaces or appends a condition. Its time is that of its last change of status. */
export function withCondition(
  conditions: CustomResourceDefinitionCondition[] | null,
  { type, status, reason, message }: Condition,
  nowMs: number,
): CustomResourceDefinitionCondition[] {
  const before = conditions?.find((condition) => condition.type === type);
  const isSame = before?.status === status && before.lastTransitionTime !== null;
  const lastTransitionTime = isSame ? before.lastTransitionTime : formatTime(nowMs);
  const made = { ...before, type, status, lastTransitionTime, reason, message };
  if (before === undefined) return [...(conditions ?? []), made];
  return (conditions ?? []).map((condition) => (condition === before ? made : condition));
}
