/** The operations on namespaces and their objects, and the observations, as the checker reads them. */

export interface NamespacedRef {
  /** `configmaps` and so on. */
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** A create that was answered with 201. Others prove nothing: what became of them is seen elsewhere, or never. */
export interface AcknowledgedCreate extends NamespacedRef {
  readonly revision: number;
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface ObjectEvent extends NamespacedRef {
  readonly type: EventType;
  readonly revision: number;
  /** It has a deletionTimestamp. */
  readonly isDeleting: boolean;
}

export interface NamespaceEvent {
  readonly type: EventType;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly isDeleting: boolean;
}

export interface NamespaceHistory {
  readonly creates: readonly AcknowledgedCreate[];
  /** Every request to delete a namespace; `isCertain` when it was answered with 200. */
  readonly deletions: readonly { readonly uid: string; readonly isCertain: boolean }[];
  /** Every event of both, whole and in order, from before the first namespace of the run was made. */
  readonly namespaces: readonly NamespaceEvent[];
  readonly objects: readonly ObjectEvent[];
  /** Read after the last restart, when all writers had stopped. */
  readonly final: {
    readonly namespaces: readonly {
      readonly name: string;
      readonly uid: string;
      readonly isDeleting: boolean;
    }[];
    readonly objects: readonly NamespacedRef[];
    /** At which revision the objects of a resource were read: controllers may write later than that. */
    readonly readAt: Readonly<Record<string, number>>;
    /** Of the store itself, without an API in between. */
    readonly storedKeys: readonly string[];
  };
}
