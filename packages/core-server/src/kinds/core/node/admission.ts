import type { Node } from '@tributary/api/core-v1';
import { type AdmissionResult, allow, type CreateReview } from '@tributary/server';

const NOT_READY = 'node.kubernetes.io/not-ready';

/** Adds the not-ready taint, so that a new node gets no pods before it is ready. */
export function admitNode({ object: { spec } }: CreateReview<Node>): AdmissionResult {
  const taints = spec.taints ?? [];
  if (!taints.some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule')) {
    spec.taints = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
  }
  return allow;
}
