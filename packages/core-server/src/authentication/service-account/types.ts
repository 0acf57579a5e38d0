import type { ObjectMeta } from '@tributary/apimachinery';
import type { CredentialNotes } from '@tributary/server';
import type { AccountIdentity } from './account-user.ts';
import type { KeySet } from './key-set.ts';

/** The fields of bound objects that tokens depend on. */
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

/** Reads current objects, synchronously from an informer's store. Throws when an object cannot be read. */
export interface LiveObjects {
  serviceAccount(namespace: string, name: string): Found<AccountObject>;
  secret(namespace: string, name: string): Found<SecretObject>;
  pod(namespace: string, name: string): Found<PodObject>;
  node(name: string): Found<BoundObject>;
}

/** A Secret whose token was used, and the date for its label. */
export interface LegacyTokenUse {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly date: string;
}

export interface ServiceAccountTokenOptions {
  /** The current keys, which may be rotated while the server runs. */
  readonly keys: () => KeySet;
  /** Accepted issuers. The first one is the issuer of new tokens. */
  readonly issuers: readonly string[];
  /** The audiences of this server. */
  readonly apiAudiences: readonly string[];
  readonly live: LiveObjects;
  readonly nowMs: () => number;
  /** Called for a token that was used after its original expiration. */
  readonly onStaleToken?: (subject: string, secondsAfterWarning: number) => void;
  /** Called when the Secret of a token lacks the label of today's use. */
  readonly onLegacyTokenUse?: (use: LegacyTokenUse) => void;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The service account of a verified token, or why the token is not valid. */
export type Owner =
  | (AccountIdentity & { readonly notes?: CredentialNotes })
  | { readonly reason: string };
