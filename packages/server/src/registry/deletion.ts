import {
  cloneJson,
  formatTime,
  type KubeObject,
  type ObjectMeta,
  parseTime,
} from '@tributary/apimachinery';
import type {
  DeletionOptions,
  PropagationPolicy,
  UpstreamLifecycleInput,
} from '../definition/lifecycle.ts';

type DeletionPlan =
  /** `object` is the last state, where it differs from the stored one: graceful deletion sets its times. */
  | { readonly kind: 'remove'; readonly object?: KubeObject }
  /** Finalizers or a grace period retain the object: it is marked as being deleted. */
  | { readonly kind: 'mark'; readonly object: KubeObject }
  /** The object is being deleted already, and no later than requested. */
  | { readonly kind: 'pending' };

/** The settings of a deletion. */
interface DeletionRules {
  readonly nowMs: number;
  /** The default of a graceful deletion; undefined for kinds without one. */
  readonly graceSeconds: number | undefined;
  readonly lifecycle?: UpstreamLifecycleInput;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export function planDeletion(
  live: KubeObject,
  options: DeletionOptions,
  { nowMs, graceSeconds, lifecycle = {} }: DeletionRules,
): DeletionPlan {
  const grace =
    graceSeconds === undefined ? undefined : graceOf(live, options, nowMs, graceSeconds);
  if (grace === 'pending') return { kind: 'pending' };
  const present = live.metadata.finalizers ?? [];
  const finalizers = finalizersAfter(present, options, lifecycle);
  const blocksDeletion = lifecycle.blocksDeletion?.(live) ?? false;
  if (finalizers.length === 0 && !grace?.seconds && !blocksDeletion) {
    return { kind: 'remove', ...(grace && { object: marked(live, finalizers, grace) }) };
  }
  const object = marked(live, finalizers, grace ?? standing(live, nowMs));
  if (lifecycle.markDeleted === undefined) return { kind: 'mark', object };
  const own = cloneJson(object) as KubeObject;
  lifecycle.markDeleted(own, { live, options });
  return { kind: 'mark', object: own };
}

interface Grace {
  readonly seconds: number;
  readonly endMs: number;
}

/**
 * Without graceful deletion an object is removed as soon as its finalizers allow; a second delete does not change the
 * time of the first.
 */
function standing({ metadata }: KubeObject, nowMs: number): Grace {
  return { seconds: 0, endMs: timeOf(metadata.deletionTimestamp) ?? nowMs };
}

/** The first delete sets the period; a later one may only shorten it. */
function graceOf(
  { metadata }: KubeObject,
  { gracePeriodSeconds }: DeletionOptions,
  nowMs: number,
  standard: number,
): Grace | 'pending' | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds: given } = metadata;
  const wanted = gracePeriodSeconds === undefined ? undefined : atLeastOne(gracePeriodSeconds);
  if (!deletionTimestamp) {
    const seconds = wanted ?? atLeastOne(standard);
    return { seconds, endMs: nowMs + seconds * 1000 };
  }
  if (given === undefined) return undefined;
  if (wanted === undefined || wanted >= given) return 'pending';
  const endMs = timeOf(deletionTimestamp) ?? nowMs;
  return { seconds: wanted, endMs: endMs - (given - wanted) * 1000 };
}

function timeOf(text: string | null | undefined): number | undefined {
  const parsed = parseTime(text ?? '');
  return parsed.ok ? parsed.milliseconds : undefined;
}

/** Upstream treats a negative period as the shortest one. */
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function marked(live: KubeObject, finalizers: readonly string[], grace: Grace): KubeObject {
  const { deletionTimestamp, generation } = live.metadata;
  const metadata: ObjectMeta = { ...live.metadata };
  if (finalizers.length > 0) metadata.finalizers = [...finalizers];
  else delete metadata.finalizers;
  metadata.deletionTimestamp = formatTime(grace.endMs);
  metadata.deletionGracePeriodSeconds = grace.seconds;
  if (!deletionTimestamp && generation !== undefined && generation > 0) {
    metadata.generation = generation + 1;
  }
  return { ...live, metadata };
}

/** Whether the write removes the last finalizer of a deleted object, and thereby the object. */
export function isReadyToRemove(
  object: KubeObject,
  { blocksDeletion }: UpstreamLifecycleInput = {},
): boolean {
  const { metadata } = object;
  return (
    Boolean(metadata.deletionTimestamp) &&
    (metadata.finalizers ?? []).length === 0 &&
    !metadata.deletionGracePeriodSeconds &&
    !blocksDeletion?.(object)
  );
}

/** An explicit policy wins, then the first finalizer of a policy on the object, then the default of the kind. */
function finalizersAfter(
  present: readonly string[],
  { propagationPolicy, orphanDependents }: DeletionOptions,
  { orphansByDefault, ignoresOwnership }: UpstreamLifecycleInput,
): string[] {
  const carried: readonly string[] = present.filter(
    (finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND,
  );
  const unrelated = present.filter((finalizer) => !carried.includes(finalizer));
  if (ignoresOwnership) return unrelated;
  const policy = propagationPolicy ?? policyOf(orphanDependents);
  switch (policy) {
    case 'Orphan':
      return [...unrelated, ORPHAN];
    case 'Foreground':
      return [...unrelated, FOREGROUND];
    case 'Background':
      return unrelated;
    case undefined: {
      const [first = orphansByDefault && ORPHAN, ...others] = carried;
      if (first === undefined) return unrelated;
      // Its existing finalizer stays in its place among the others.
      return carried.length === 0
        ? [...unrelated, first]
        : present.filter((finalizer) => finalizer === first || !others.includes(finalizer));
    }
  }
}

function policyOf(orphanDependents: boolean | undefined): PropagationPolicy | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}
