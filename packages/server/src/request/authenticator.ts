import type { ApiRequest, UserInfo } from './pipeline.ts';

/** What is said of a credential each time it is shown. */
export interface CredentialNotes {
  /** To its owner. */
  readonly warnings?: readonly string[];
  /** In the audit log. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Who a request comes from: a user, nobody this authenticator knows of, or a credential that is wrong. */
export type Authentication =
  | {
      readonly outcome: 'authenticated';
      readonly user: UserInfo;
      readonly notes?: CredentialNotes;
    }
  | { readonly outcome: 'no-opinion' }
  | { readonly outcome: 'rejected'; readonly reason: string };

/** Answers without a promise where it can: most credentials were seen before. */
export type Authenticator = (request: ApiRequest) => Promise<Authentication> | Authentication;

export const anonymous: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};
