import type { KubeObject } from '@tributary/apimachinery';
import type { Clock, Revision, Storage } from '@tributary/storage';
import type { UserInfo } from '../request/pipeline.ts';
import type { Read } from './reads.ts';

/** How the objects of a resource are stored. */
export interface StoredLayout {
  /** The prefix of every key: `<prefix>[<namespace>/]<name>`. */
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly clock: Clock;
  encode(object: KubeObject): Uint8Array;
  decode(stored: Uint8Array, revision: Revision): KubeObject;
}

/** A separate store, or an adapter of something else to that interface: a projection. */
export interface StorageBacking<Object = KubeObject> {
  readonly kind: 'storage';
  /** Called when the server starts; the store is closed with the server. */
  readonly open: (layout: StoredLayout) => Storage;
  /** Absent at run time; carries the type of the objects to the functions of a projection. */
  readonly objectType?: Object;
}

export interface ComputedContext {
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly read: Read;
}

/** No store: objects are computed for each request. Only verbs that have a function are served. */
export interface ComputedBacking<Object = KubeObject> {
  readonly kind: 'computed';
  readonly get?: (name: string, context: ComputedContext) => Promise<Object | undefined>;
  readonly list?: (context: ComputedContext) => Promise<readonly Object[]>;
  /** Lists have no resourceVersion, because their objects do not come from the store. */
  readonly isUnversioned?: boolean;
  /** Returns the result of a review; nothing is stored. */
  readonly create?: (object: Object, context: ComputedContext) => Promise<Object>;
}

/** The store of a resource's objects. Default: the server's store. */
export type Backing<Object = KubeObject> = StorageBacking<Object> | ComputedBacking<Object>;

export function computed<Object>(
  backing: Omit<ComputedBacking<Object>, 'kind'>,
): ComputedBacking<Object> {
  return { kind: 'computed', ...backing };
}
