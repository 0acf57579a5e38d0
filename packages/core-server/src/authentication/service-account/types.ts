import type { ObjectMeta } from '@tributary/apimachinery';

/** The parts of objects that tokens are bound to, so far as tokens care. */
export interface BoundObject {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid' | 'deletionTimestamp'>;
}

export interface AccountObject extends BoundObject {
  readonly secrets?: readonly { readonly name?: string }[];
}

export interface SecretObject {
  readonly metadata: Pick<
    ObjectMeta,
    'name' | 'namespace' | 'uid' | 'deletionTimestamp' | 'labels' | 'annotations'
  >;
  readonly type?: string;
  /** In base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface PodObject extends BoundObject {
  readonly spec?: { readonly serviceAccountName?: string; readonly nodeName?: string };
}

type Found<T> = T | undefined | Promise<T | undefined>;

/** What exists now. Without promises where a cache knows; what cannot be read throws. */
export interface LiveObjects {
  serviceAccount(namespace: string, name: string): Found<AccountObject>;
  secret(namespace: string, name: string): Found<SecretObject>;
  pod(namespace: string, name: string): Found<PodObject>;
  node(name: string): Found<BoundObject>;
}
