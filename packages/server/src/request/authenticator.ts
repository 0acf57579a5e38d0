import type { ApiRequest, UserInfo } from './pipeline.ts';

/** Notes about a credential, added to each request that uses it. */
export interface CredentialNotes {
  /** Warning headers for the client. */
  readonly warnings?: readonly string[];
  /** Audit annotations. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** The result of authentication: a user, no opinion about the request, or a rejected credential. */
export type Authentication =
  | {
      readonly outcome: 'authenticated';
      readonly user: UserInfo;
      readonly notes?: CredentialNotes;
    }
  | { readonly outcome: 'no-opinion' }
  | { readonly outcome: 'rejected'; readonly reason: string };

/** Returns no promise where it can: most credentials are cached. */
export type Authenticator = (request: ApiRequest) => Promise<Authentication> | Authentication;

export const anonymous: UserInfo = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};
