import type { Pod, PodCondition } from '@tributary/api/core-v1';
import { formatTime } from '@tributary/apimachinery';

type Said = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** The pod with a condition; its time is that of the last change of its status. */
export function withCondition(pod: Pod, said: Said, nowMs: number): Pod {
  const conditions = pod.status.conditions ?? [];
  const before = conditions.find(({ type }) => type === said.type);
  const now = formatTime(nowMs);
  const lastTransitionTime =
    before !== undefined && before.status === said.status ? before.lastTransitionTime : now;
  const next = { ...said, lastProbeTime: null, lastTransitionTime } as PodCondition;
  const others =
    before === undefined
      ? [...conditions, next]
      : conditions.map((one) => (one === before ? next : one));
  return { ...pod, status: { ...pod.status, conditions: others } };
}
