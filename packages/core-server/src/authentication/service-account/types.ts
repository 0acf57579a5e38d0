import type { ObjectMeta } from '@tributary/apimachinery';
import type { CredentialNotes } from '@tributary/server';
import type { AccountIdentity } from './account-user.ts';
import type { KeySet } from './key-set.ts';

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

/** The Secret whose token was used, and the date it wants in its label. */
export interface LegacyTokenUse {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly date: string;
}

export interface ServiceAccountTokenOptions {
  /** The keys of now: they may be replaced while the server runs. */
  readonly keys: () => KeySet;
  /** The first signs, all are believed. */
  readonly issuers: readonly string[];
  /** Who this server is to tokens. */
  readonly apiAudiences: readonly string[];
  readonly live: LiveObjects;
  readonly nowMs: () => number;
  /** A token was used that should have been replaced by now. */
  readonly onStaleToken?: (subject: string, secondsAfterWarning: number) => void;
  /** The Secret of a token wants to be marked as used today. */
  readonly onLegacyTokenUse?: (use: LegacyTokenUse) => void;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Who a verified token belongs to, or why it does not count any more. */
export type Owner =
  | (AccountIdentity & { readonly notes?: CredentialNotes })
  | { readonly why: string };
