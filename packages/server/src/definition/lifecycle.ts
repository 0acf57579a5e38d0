import type { KubeObject } from '@tributary/apimachinery';
import type { KeyRevision, Stored, Write } from '@tributary/storage';
import type { MaybePromise } from '../request/maybe-promise.ts';

/** One write of an object: `live` is absent for a create, `next` for a delete. */
export interface ObjectChange<Object = KubeObject> {
  readonly next?: Object;
  readonly live?: Object;
}

/**
 * Writes that are committed together with an object, all or nothing: a unique number is a key of its own, so that of
 * two objects with that number only one is written.
 */
export interface AtomicWrites<Object = KubeObject> {
  /** Called for every attempt, right before the commit; it may read stored keys. */
  readonly writes: (change: ObjectChange<Object>, readKey: ReadKey) => MaybePromise<AtomicWriteSet>;
  /**
   * Called when another write has taken the key. Throws the client's error, or returns when another attempt may succeed
   * with the result of `prepareForCreate`.
   */
  readonly onConflict: (key: string, change: ObjectChange<Object>) => void;
}

/** The stored value of a key, if any. */
export type ReadKey = (key: string) => Promise<Stored | undefined>;

export interface AtomicWriteSet {
  readonly require: readonly KeyRevision[];
  readonly writes: readonly Write[];
}

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** Options of a delete request, as in metav1.DeleteOptions. */
export interface DeletionOptions {
  readonly propagationPolicy?: PropagationPolicy;
  /** The older form of a policy; the two are mutually exclusive. */
  readonly orphanDependents?: boolean;
  /** Only for kinds with graceful deletion. */
  readonly gracePeriodSeconds?: number;
}

export interface Deletion<Object = KubeObject> {
  /** The stored object; it has a `deletionTimestamp` when it was deleted before. */
  readonly live: Object;
  readonly options: DeletionOptions;
}

/** Exceptions from the usual life of an object. */
export interface LifecycleInput<Object = KubeObject> {
  /** Objects expire this many seconds after their last write. */
  readonly ttlSeconds?: number;
  /** Whether a deleted object must stay for another reason than its finalizers. */
  readonly blocksDeletion?: (object: Object) => boolean;
  /** Further changes to an object that is deleted and stays. Changes its argument. */
  readonly markDeleted?: (object: Object, deletion: Deletion<Object>) => void;
  readonly atomicWrites?: AtomicWrites<Object>;
}

/** With options of kinds that Kubernetes itself serves. */
export interface UpstreamLifecycleInput<Object = KubeObject> extends LifecycleInput<Object> {
  /** A delete without a propagation policy orphans dependents, as before there were policies; clients may get a warning. */
  readonly orphansByDefault?: { readonly warning?: string };
  /** The garbage collector ignores the kind, so a propagation policy has no effect. */
  readonly ignoresOwnership?: boolean;
  /** The message for a delete whose preconditions do not hold. Default: the usual one. */
  readonly preconditionMismatch?: (mismatch: PreconditionMismatch) => string;
}

/** A delete for another object of the same name, or for another state of it. */
export interface PreconditionMismatch {
  readonly field: 'UID' | 'ResourceVersion';
  readonly wanted: string;
  readonly found: string;
}
