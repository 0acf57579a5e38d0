import type { KubeObject } from '@tributary/apimachinery';
import type { KeyRevision, Stored, Write } from '@tributary/storage';
import type { MaybePromise } from '../request/maybe-promise.ts';

/** One write of an object: `live` is absent when it is new, `next` when it goes. */
export interface ObjectChange<Object = KubeObject> {
  readonly next?: Object;
  readonly live?: Object;
}

/**
 * What is written together with an object, all or nothing: a number that only one may have is a key of its own, and
 * two who want it cannot both be written.
 */
export interface AtomicWrites<Object = KubeObject> {
  /** Asked for every attempt at a write, right before it; it may readKey at what is stored. */
  readonly writes: (change: ObjectChange<Object>, readKey: ReadKey) => MaybePromise<AtomicWriteSet>;
  /**
   * Somebody else has that key. Throws what the client is told; returns when another attempt, with what
   * `prepareForCreate` makes then, may succeed.
   */
  readonly onConflict: (key: string, change: ObjectChange<Object>) => void;
}

/** What is stored under a key now, or nothing. */
export type ReadKey = (key: string) => Promise<Stored | undefined>;

export interface AtomicWriteSet {
  readonly require: readonly KeyRevision[];
  readonly writes: readonly Write[];
}

export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** What who deletes says of it. */
export interface DeletionOptions {
  readonly propagationPolicy?: PropagationPolicy;
  /** The old spelling of a policy; the two are never given together. */
  readonly orphanDependents?: boolean;
  /** Counts only for kinds whose deletion is graceful. */
  readonly gracePeriodSeconds?: number;
}

export interface Deletion<Object = KubeObject> {
  /** As it was; it has a `deletionTimestamp` when it was deleted before. */
  readonly live: Object;
  readonly options: DeletionOptions;
}

/** How objects of a kind come and go, where that is not as usual. */
export interface LifecycleInput<Object = KubeObject> {
  /** Objects go by themselves this many seconds after they were last written. */
  readonly ttlSeconds?: number;
  /** Whether a deleted object must stay for another reason than its finalizers. */
  readonly blocksDeletion?: (object: Object) => boolean;
  /** What else changes when an object is deleted and stays. It changes the object it is given. */
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
