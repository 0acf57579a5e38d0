import type { WriteContext } from './admission.ts';
import type { CommitPlace } from './commit-order.ts';

export interface WriteOptions extends WriteContext {
  /** The required state of the stored object; otherwise 409. */
  readonly preconditions?: Preconditions | undefined;
  /**
   * Authorizes a create that an update or apply of a missing object leads to; throws when it is denied. As upstream, it
   * runs after the checks of the namespace and the object.
   */
  readonly permit?: (() => Promise<void>) | undefined;
  /** The place of the commit among those of concurrent writes that must keep their order. */
  readonly place?: CommitPlace | undefined;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}
