import type { KubeObject } from '@tributary/apimachinery';
import type { UserInfo } from '../request/pipeline.ts';
import type { Read } from './reads.ts';

/** What is known of a write besides the objects. */
export interface Review {
  readonly name: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly subresource: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly read: Read;
  /** Tells the client something, whether the write is allowed or not. */
  warn(text: string): void;
}

export interface CreateReview<Object> extends Review {
  /** Not yet validated; has no uid and no generated name. A rule may change it. */
  readonly object: Object;
  /** The name in the URL: empty for a POST, and not for an update or an apply that creates. */
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

/** Refuses with 403; `why` is what the client reads. */
export function forbid(reason: string): AdmissionResult {
  return { allowed: false, reason };
}

type Rule<R> = (review: R) => AdmissionResult | Promise<AdmissionResult>;

/**
 * What is asked before a write, on objects in the storage version. An update is asked again whenever
 * another writer was faster.
 */
export interface AdmissionRules<Object = KubeObject> {
  readonly create?: Rule<CreateReview<Object>>;
  readonly update?: Rule<UpdateReview<Object>>;
  readonly delete?: Rule<DeleteReview<Object>>;
}
