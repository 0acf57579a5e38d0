/** Evictions and PodDisruptionBudgets. */

import type { Pod } from '@tributary/api/core-v1';
import type { PodDisruptionBudget } from '@tributary/api/policy-v1';
import {
  forbidden,
  formatTime,
  type StatusCause,
  StatusError,
  timeout,
} from '@tributary/apimachinery';
import type { Client, ResourceType } from '@tributary/client';
import type { Read } from '@tributary/server';
import { selectorOf } from '../../../rbac/label-selector-terms.ts';
import { podDisruptionBudgetKind } from '../../policy/pod-disruption-budget/kind.ts';
import { plainError } from '../../shared/plain-failure.ts';

/** The bound of evictions that the disruption controller has not processed. */
const DISRUPTED_MAX = 2000;
/** Other evictions may use the same budget at the same time. */
const ATTEMPTS_MAX = 20;
const FORBIDDEN = "Cannot evict pod as it would violate the pod's disruption budget.";
const SEVERAL =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';
const RETRY_SECONDS = 10;
const ALLOWED = 'DisruptionAllowed';

const budgets: ResourceType = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

export type BudgetResult =
  | { readonly kind: 'none' }
  | { readonly kind: 'spent' }
  /** The budget does not count pods that are not ready. */
  | { readonly kind: 'not counted'; readonly name: string };

interface BudgetRequest {
  readonly pod: Pod;
  readonly read: Read;
  readonly client: () => Client;
  readonly nowMs: () => number;
  readonly dryRun: boolean;
}

/** Subtracts one disruption from the budget of a pod; throws when none is allowed. */
export async function useBudget(spending: BudgetRequest): Promise<BudgetResult> {
  const { pod, read } = spending;
  const { namespace = '' } = pod.metadata;
  const all = await read(podDisruptionBudgetKind).list(namespace);
  const [budget, ...more] = all.filter(({ spec }) => guards(spec, pod));
  if (budget === undefined) return { kind: 'none' };
  if (more.length > 0) throw plainError(SEVERAL);
  const name = budget.metadata.name ?? '';
  if (!isReady(pod) && allowsUnready(budget)) return { kind: 'not counted', name };
  await takeDisruption(budget, spending);
  return { kind: 'spent' };
}

async function takeDisruption(found: PodDisruptionBudget, spending: BudgetRequest): Promise<void> {
  const { pod, client, nowMs, dryRun } = spending;
  const { namespace = '', name = '' } = found.metadata;
  const resource = client().resource<PodDisruptionBudget>(budgets).in(namespace);
  let budget = found;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    requireAllowed(budget);
    if (dryRun) return;
    try {
      await resource.update(withDisruption(budget, pod.metadata.name ?? '', nowMs()), {
        subresource: 'status',
      });
      return;
    } catch (error) {
      if (!(error instanceof StatusError && error.reason === 'Conflict')) throw error;
      budget = await resource.get(name);
    }
  }
  const text = `couldn't update PodDisruptionBudget ${JSON.stringify(name)} due to conflicts`;
  throw timeout(text, RETRY_SECONDS);
}

function guards({ selector }: PodDisruptionBudget['spec'], { metadata }: Pod): boolean {
  // A budget without a selector matches no pods, one with an empty selector all.
  return selector ? (selectorOf(selector)?.matches(metadata.labels) ?? false) : false;
}

function isReady({ status }: Pod): boolean {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True';
}

function allowsUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function requireAllowed({ metadata, status }: PodDisruptionBudget): void {
  const { name = '', generation = 0 } = metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  if (Number(observedGeneration) < generation) throw tooManyRequests(name);
  const resource = { group: 'policy', resource: 'poddisruptionbudget' };
  if (disruptionsAllowed < 0) {
    throw forbidden(resource, name, 'pdb disruptions allowed is negative');
  }
  if (Object.keys(disruptedPods).length > DISRUPTED_MAX) {
    const text = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(resource, name, text);
  }
  if (disruptionsAllowed === 0) throw budgetError(noDisruptionMessage(name, status));
}

function noDisruptionMessage(name: string, status: PodDisruptionBudget['status']): string {
  const { currentHealthy = 0, desiredHealthy = 0, conditions = [] } = status;
  const allowed = conditions.find(({ type }) => type === ALLOWED);
  const isSaid = allowed?.status === 'False' && allowed.message !== '';
  const not = `The disruption budget ${name} does not allow evicting pods currently`;
  if (isSaid && allowed.reason === 'SyncFailed')
    return `${not} because it failed sync: ${allowed.message}`;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return isSaid ? `${not} (${allowed.reason}): ${allowed.message}` : not;
}

/** The budget is outdated or used up: a retry may succeed. */
export function tooManyRequests(name: string): StatusError {
  const text = `The disruption budget ${name} is still being processed by the server.`;
  return budgetError(text, RETRY_SECONDS);
}

function budgetError(message: string, retryAfterSeconds?: number): StatusError {
  const cause: StatusCause = { reason: 'DisruptionBudget', message };
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: FORBIDDEN,
    details: {
      causes: [cause],
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  });
}

/** The budget with one disruption less, and the pod in disruptedPods. */
function withDisruption(
  budget: PodDisruptionBudget,
  pod: string,
  nowMs: number,
): PodDisruptionBudget {
  const { status } = budget;
  const now = formatTime(nowMs);
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...status.disruptedPods, [pod]: now },
      ...(disruptionsAllowed === 0 && { conditions: exhausted(status, now) }),
    },
  };
}

function exhausted(status: PodDisruptionBudget['status'], now: string) {
  const { conditions = [], observedGeneration } = status;
  const before = conditions.find(({ type }) => type === ALLOWED);
  const next = {
    type: ALLOWED,
    status: 'False',
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : now,
    reason: 'InsufficientPods',
    message: '',
  };
  return before === undefined
    ? [...conditions, next]
    : conditions.map((one) => (one === before ? next : one));
}
