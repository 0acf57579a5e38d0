import type { KubeObject } from '@tributary/apimachinery';
import type { UserInfo } from '../request/pipeline.ts';
import type { Read } from './reads.ts';

/** Attributes of a write besides its objects. */
export interface Review {
  readonly name: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly subresource: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly read: Read;
  /** Adds a warning for the client, whether the write is allowed or not. */
  warn(text: string): void;
}

export interface CreateReview<Object> extends Review {
  /** Not yet validated; has no uid and no generated name. A rule may change it. */
  readonly object: Object;
  /** The name in the URL: empty for a POST, set for an update or an apply that creates. */
  readonly requestName: string;
}

export interface UpdateReview<Object> extends Review {
  /** A rule may change it. */
  readonly object: Object;
  readonly oldObject: Object;
}

export interface DeleteReview<Object> extends Review {
  readonly oldObject: Object;
}

export type AdmissionResult =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: string };

export const allow: AdmissionResult = { allowed: true };

/** Rejects the write with 403; `reason` is part of the message. */
export function forbid(reason: string): AdmissionResult {
  return { allowed: false, reason };
}

type Rule<R> = (review: R) => AdmissionResult | Promise<AdmissionResult>;

/**
 * Rules that run before a write, on objects in the storage version. The update rule runs again when another writer
 * changed the object first.
 */
export interface AdmissionRules<Object = KubeObject> {
  readonly create?: Rule<CreateReview<Object>>;
  readonly update?: Rule<UpdateReview<Object>>;
  readonly delete?: Rule<DeleteReview<Object>>;
}
