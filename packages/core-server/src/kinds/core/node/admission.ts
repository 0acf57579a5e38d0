import type { Node } from '@tributary/api/core-v1';
import { allow, type CreateReview, type AdmissionResult } from '@tributary/server';

const NOT_READY = 'node.kubernetes.io/not-ready';

/** A new node takes no pods until somebody has seen that it is ready. */
export function admitNode({ object: { spec } }: CreateReview<Node>): AdmissionResult {
  const taints = spec.taints ?? [];
  if (!taints.some(({ key, effect }) => key === NOT_READY && effect === 'NoSchedule')) {
    spec.taints = [...taints, { key: NOT_READY, effect: 'NoSchedule' }];
  }
  return allow;
}
