import type { KubeObject } from '@tributary/apimachinery';
import type { Clock, Revision, Storage } from '@tributary/storage';
import type { UserInfo } from '../request/pipeline.ts';
import type { Read } from './reads.ts';

/** How the objects of a resource lie in a store. */
export interface StoredLayout {
  /** Every key begins with it: `<prefix>[<namespace>/]<name>`. */
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly clock: Clock;
  encode(object: KubeObject): Uint8Array;
  decode(stored: Uint8Array, revision: Revision): KubeObject;
}

/** In a store of its own, or in something that looks like one: a projection. */
export interface StorageBacking<Object = KubeObject> {
  readonly kind: 'storage';
  /** Opened when the server starts, closed with it. */
  readonly open: (layout: StoredLayout) => Storage;
  /** Never there at run time: it carries the type of the objects to the functions of a projection. */
  readonly objectType?: Object;
}

export interface ComputedContext {
  readonly namespace: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly read: Read;
}

/** Nowhere: made when asked for. Only the verbs that have a function are served. */
export interface ComputedBacking<Object = KubeObject> {
  readonly kind: 'computed';
  readonly get?: (name: string, context: ComputedContext) => Promise<Object | undefined>;
  readonly list?: (context: ComputedContext) => Promise<readonly Object[]>;
  /** Lists have no resourceVersion: what they show has nothing to do with the store. */
  readonly isUnversioned?: boolean;
  /** Answers a question: what is given back is the answer, nothing is stored. */
  readonly create?: (object: Object, context: ComputedContext) => Promise<Object>;
}

/** Where the objects of a resource live. Without one: the server's store. */
export type Backing<Object = KubeObject> = StorageBacking<Object> | ComputedBacking<Object>;

export function computed<Object>(
  backing: Omit<ComputedBacking<Object>, 'kind'>,
): ComputedBacking<Object> {
  return { kind: 'computed', ...backing };
}
