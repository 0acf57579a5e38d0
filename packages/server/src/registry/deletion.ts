import {
  cloneJson,
  formatTime,
  type KubeObject,
  type ObjectMeta,
  parseTime,
} from '@tributary/apimachinery';
import type { LifecycleInput } from '../definition/lifecycle.ts';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

export interface DeletionWish {
  readonly propagationPolicy?: PropagationPolicy;
  /** The old spelling of a policy; the two are never given together. */
  readonly orphanDependents?: boolean;
  /** Counts only for kinds whose deletion is graceful. */
  readonly gracePeriodSeconds?: number;
}

export type DeletionPlan =
  | { readonly kind: 'remove' }
  /** Finalizers or a period of grace hold the object: it stays, marked as being deleted. */
  | { readonly kind: 'mark'; readonly object: KubeObject }
  /** It is on its way already, and not slower than is asked for. */
  | { readonly kind: 'pending' };

/** How a kind is deleted. */
export interface DeletionRules {
  readonly nowMs: number;
  /** Seconds when the client does not say; undefined for kinds whose deletion is not graceful. */
  readonly graceSeconds: number | undefined;
  readonly lifecycle?: LifecycleInput;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

export function planDeletion(
  live: KubeObject,
  wish: DeletionWish,
  { nowMs, graceSeconds, lifecycle = {} }: DeletionRules,
): DeletionPlan {
  const grace = graceSeconds === undefined ? undefined : graceOf(live, wish, nowMs, graceSeconds);
  if (grace === 'pending') return { kind: 'pending' };
  const finalizers = finalizersAfter(live.metadata.finalizers ?? [], wish);
  const isHeld = lifecycle.isHeld?.(live) ?? false;
  if (finalizers.length === 0 && !grace?.seconds && !isHeld) return { kind: 'remove' };
  const object = marked(live, finalizers, grace ?? standing(live, nowMs));
  if (lifecycle.markDeleted === undefined) return { kind: 'mark', object };
  const own = cloneJson(object) as KubeObject;
  lifecycle.markDeleted(own);
  return { kind: 'mark', object: own };
}

interface Grace {
  readonly seconds: number;
  readonly endMs: number;
}

/** Without grace an object goes as soon as its finalizers allow; a second delete keeps the time of the first. */
function standing({ metadata }: KubeObject, nowMs: number): Grace {
  return { seconds: 0, endMs: timeOf(metadata.deletionTimestamp) ?? nowMs };
}

/** A first delete gives time; a later one may only shorten it. */
function graceOf(
  { metadata }: KubeObject,
  { gracePeriodSeconds }: DeletionWish,
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

/** A negative period is a mistake that upstream reads as the shortest one. */
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

/** Whether the last finalizer of a dying object went away, so that this write removes it. */
export function isReadyToGo(object: KubeObject, { isHeld }: LifecycleInput = {}): boolean {
  const { metadata } = object;
  return (
    Boolean(metadata.deletionTimestamp) &&
    (metadata.finalizers ?? []).length === 0 &&
    !metadata.deletionGracePeriodSeconds &&
    !isHeld?.(object)
  );
}

/** An explicit wish wins, then what the object already carries, then background. */
function finalizersAfter(present: readonly string[], wish: DeletionWish): string[] {
  const policy = wish.propagationPolicy ?? policyOf(wish.orphanDependents);
  if (policy === undefined) return [...present];
  const kept = present.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === 'Orphan') return [...kept, ORPHAN];
  if (policy === 'Foreground') return [...kept, FOREGROUND];
  return kept;
}

function policyOf(orphanDependents: boolean | undefined): PropagationPolicy | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}
