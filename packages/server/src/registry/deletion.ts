import { formatTime, type KubeObject, type ObjectMeta } from '@tributary/apimachinery';

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

export interface DeletionWish {
  readonly propagationPolicy?: PropagationPolicy;
  /** The old spelling of a policy; the two are never given together. */
  readonly orphanDependents?: boolean;
}

export type DeletionPlan =
  | { readonly kind: 'remove' }
  /** Finalizers hold the object: it stays, marked as being deleted. */
  | { readonly kind: 'mark'; readonly object: KubeObject };

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** What a delete does to an object whose kind has no graceful deletion. */
export function planDeletion(live: KubeObject, wish: DeletionWish, nowMs: number): DeletionPlan {
  const finalizers = finalizersAfter(live.metadata.finalizers ?? [], wish);
  if (finalizers.length === 0) return { kind: 'remove' };
  const { deletionTimestamp, generation } = live.metadata;
  const metadata: ObjectMeta = { ...live.metadata, finalizers };
  metadata.deletionTimestamp = deletionTimestamp || formatTime(nowMs);
  metadata.deletionGracePeriodSeconds = 0;
  if (!deletionTimestamp && generation !== undefined && generation > 0) {
    metadata.generation = generation + 1;
  }
  return { kind: 'mark', object: { ...live, metadata } };
}

/** Whether the last finalizer of a dying object went away, so that this write removes it. */
export function isReadyToGo({ metadata }: KubeObject): boolean {
  return (
    Boolean(metadata.deletionTimestamp) &&
    (metadata.finalizers ?? []).length === 0 &&
    !metadata.deletionGracePeriodSeconds
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
