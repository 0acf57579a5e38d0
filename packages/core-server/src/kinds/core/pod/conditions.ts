import type { Pod, PodCondition } from '@tributary/api/core-v1';
import { formatTime } from '@tributary/apimachinery';

type NewCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The pod with a condition, whose transition time is that of its last status change. */
export function withCondition(pod: Pod, condition: NewCondition, nowMs: number): Pod {
  const conditions = pod.status.conditions ?? [];
  const before = conditions.find(({ type }) => type === condition.type);
  const now = formatTime(nowMs);
  const lastTransitionTime =
    before !== undefined && before.status === condition.status ? before.lastTransitionTime : now;
  const next = { ...condition, lastProbeTime: null, lastTransitionTime } as PodCondition;
  const others =
    before === undefined
      ? [...conditions, next]
      : conditions.map((one) => (one === before ? next : one));
  return { ...pod, status: { ...pod.status, conditions: others } };
}
