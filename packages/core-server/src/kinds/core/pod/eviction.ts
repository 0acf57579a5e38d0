/** The eviction subresource: deletes a pod if its budget allows it. */

import type { Pod } from '@tributary/api/core-v1';
import type { DeleteOptions } from '@tributary/api/meta-v1';
import { Eviction } from '@tributary/api/policy-v1';
import { badRequest, fieldError, invalid, root, StatusError } from '@tributary/apimachinery';
import type { Client } from '@tributary/client';
import { pods } from '@tributary/client/controller';
import type { ActionRequest } from '@tributary/server';
import type { UpstreamActionInput } from '@tributary/server/definition';
import { withCondition } from './conditions.ts';
import { tooManyRequests, useBudget } from './disruption-budget.ts';
import { successStatus } from './done.ts';

const EVICTION = { group: 'policy', version: 'v1', kind: 'Eviction' };
const CONDITION = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};
const UNREADABLE = 'ignoreStoreReadErrorWithClusterBreakingPotential';

interface EvictionParts {
  readonly client: () => Client;
  readonly nowMs: () => number;
}

export function evictionAction(parts: EvictionParts): UpstreamActionInput<Pod, unknown> {
  return {
    kind: EVICTION,
    typed: Eviction,
    alsoIn: ['policy/v1beta1'],
    // Only this action sets the DisruptionTarget condition.
    writesAsIs: true,
    run: async (request) => {
      const { object, body } = request;
      const eviction = body as Eviction;
      requireEviction(eviction, object.metadata.name ?? '');
      const options = withDryRun(eviction, request.dryRun);
      const pod = await evictUncounted(request, options, parts);
      if (pod !== undefined) await evictCounted(request, { ...parts, options, pod });
      return successStatus();
    },
  };
}

/** Other writers may change the pod at the same time. */
const ATTEMPTS_MAX = 20;

/** Deletes a pod that its budget does not count, unless the pod becomes ready meanwhile. */
async function evictUncounted(
  request: ActionRequest<Pod, unknown>,
  options: DeleteOptions,
  { client, nowMs }: EvictionParts,
): Promise<Pod | undefined> {
  let pod = request.object;
  const { name = '', namespace = '' } = pod.metadata;
  for (let attempt = 1; isUncounted(pod); attempt += 1) {
    try {
      // A pending pod may become ready, so only this resourceVersion of it is deleted.
      await deletePod(request, options, { pod, nowMs, isExact: !hasEnded(pod) });
      return undefined;
    } catch (error) {
      if (!isConflict(error) || versionOf(options) || attempt === ATTEMPTS_MAX) throw error;
      pod = await client().resource<Pod>(pods).in(namespace).get(name);
    }
  }
  return pod;
}

async function evictCounted(
  request: ActionRequest<Pod, unknown>,
  {
    pod,
    options,
    ...parts
  }: EvictionParts & { readonly pod: Pod; readonly options: DeleteOptions },
): Promise<void> {
  const dryRun = isDryRun(options);
  const budget = await useBudget({ ...parts, pod, read: request.read, dryRun });
  const isExact = budget.kind === 'not counted';
  try {
    await deletePod(request, options, { pod, nowMs: parts.nowMs, isExact });
  } catch (error) {
    // The pod may have become ready after it was read.
    if (isExact && isConflict(error) && !versionOf(options)) throw tooManyRequests(budget.name);
    throw error;
  }
}

function requireEviction({ metadata, deleteOptions }: Eviction, name: string): void {
  if (metadata.name !== name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  if (!deleteOptions?.[UNREADABLE]) return;
  const detail = 'can not be set for pod eviction, try after removing the option';
  throw invalid(EVICTION, name, [
    fieldError.invalid(root('deleteOptions').child(UNREADABLE), true, detail),
  ]);
}

function withDryRun({ deleteOptions }: Eviction, dryRun: boolean): DeleteOptions {
  const options = deleteOptions ?? ({} as DeleteOptions);
  return isDryRun(options) || !dryRun ? options : { ...options, dryRun: ['All'] };
}

function isDryRun({ dryRun = [] }: DeleteOptions): boolean {
  return dryRun.length > 0;
}

/** Pending, completed and terminating pods do not count in a budget. */
function isUncounted(pod: Pod): boolean {
  return pod.status.phase === 'Pending' || hasEnded(pod);
}

function hasEnded({ metadata, status: { phase } }: Pod): boolean {
  return phase === 'Succeeded' || phase === 'Failed' || Boolean(metadata.deletionTimestamp);
}

interface Leaving {
  /** The pod when it was read. */
  readonly pod: Pod;
  readonly nowMs: () => number;
  /** Delete only this resourceVersion. */
  readonly isExact: boolean;
}

async function deletePod(
  { update, remove }: ActionRequest<Pod, unknown>,
  options: DeleteOptions,
  { pod, nowMs, isExact }: Leaving,
): Promise<void> {
  const dryRun = isDryRun(options);
  const wanted = {
    ...options.preconditions,
    ...(isExact && { resourceVersion: versionOf(options) ?? pod.metadata.resourceVersion }),
  };
  let resourceVersion = wanted.resourceVersion;
  if (!dryRun) {
    const marked = await update(
      (live) => {
        requireSame(live, wanted);
        return withCondition(live, CONDITION, nowMs());
      },
      { dryRun },
    );
    // The precondition follows our own write of the condition.
    if (resourceVersion !== undefined) resourceVersion = marked.metadata.resourceVersion;
  }
  const { gracePeriodSeconds, propagationPolicy, orphanDependents } = options;
  await remove({
    dryRun,
    preconditions: {
      ...(wanted.uid && { uid: wanted.uid }),
      ...(resourceVersion && { resourceVersion }),
    },
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds: Number(gracePeriodSeconds) }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(isPolicy(propagationPolicy) && { propagationPolicy }),
  });
}

function isPolicy(value: string | undefined): value is 'Foreground' | 'Background' | 'Orphan' {
  return value !== undefined && ['Foreground', 'Background', 'Orphan'].includes(value);
}

function requireSame(
  { metadata }: Pod,
  wanted: { readonly uid?: string; readonly resourceVersion?: string | undefined },
): void {
  const { name = '', uid = '', resourceVersion = '' } = metadata;
  if (wanted.uid && wanted.uid !== uid) {
    throw mismatch(name, 'UID', wanted.uid, uid, 'deleted and then recreated');
  }
  if (wanted.resourceVersion && wanted.resourceVersion !== resourceVersion) {
    throw mismatch(name, 'ResourceVersion', wanted.resourceVersion, resourceVersion, 'modified');
  }
}

/** Upstream puts the kind where the resource belongs. */
function mismatch(name: string, field: string, wanted: string, found: string, change: string) {
  const words = `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found})`;
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on Pod ${JSON.stringify(name)}: ${words}. The object might have been ${change}`,
    details: { name, kind: 'Pod' },
  });
}

function versionOf({ preconditions }: DeleteOptions): string | undefined {
  return preconditions?.resourceVersion;
}

function isConflict(error: unknown): boolean {
  return error instanceof StatusError && error.reason === 'Conflict';
}
