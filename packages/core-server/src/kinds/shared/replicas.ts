/** What sets of equal pods count. */
import { type FieldError, fieldError, root } from '@tributary/apimachinery';
import type { ColumnInput } from '@tributary/server';
import { notNegative } from '../core/pod-template/validate-probes.ts';
import { count } from './pod-parts.ts';

interface Counts {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly observedGeneration?: number | bigint;
}

interface Counted {
  readonly spec: { readonly replicas?: number };
  readonly status: Counts;
}

export const replicaColumns: readonly ColumnInput<Counted>[] = [
  count('Desired', 'How many pods are wanted', ({ spec }) => spec.replicas),
  count('Current', 'How many pods there are', ({ status }) => status.replicas),
  count('Ready', 'How many pods are ready', ({ status }) => status.readyReplicas),
];

const PARTS = [
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
] as const;
const STATUS = root('status');

/** No part is more than the whole, and nothing is available before it is ready. */
export function validateReplicaStatus(status: Counts): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const errors = (['replicas', ...PARTS, 'observedGeneration'] as const).flatMap((name) =>
    notNegative(STATUS.child(name), status[name]),
  );
  for (const name of PARTS) {
    const part = status[name] ?? 0;
    if (part <= replicas) continue;
    const detail = 'cannot be greater than status.replicas';
    errors.push(fieldError.invalid(STATUS.child(name), part, detail));
  }
  if (availableReplicas > readyReplicas) {
    const detail = 'cannot be greater than readyReplicas';
    errors.push(fieldError.invalid(STATUS.child('availableReplicas'), availableReplicas, detail));
  }
  return errors;
}
