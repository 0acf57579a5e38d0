import type { AccessInfo, Authorizer, UserInfo } from '@tributary/server';

export interface SignerRequest {
  readonly user: UserInfo;
  readonly verb: 'approve' | 'sign';
  readonly signerName: string;
  readonly signal: AbortSignal;
}

export interface SignerSources {
  readonly authorize: Authorizer;
  /** Called when the authorizer fails; the request is then not allowed. */
  readonly reportError?: (error: unknown) => void;
}

/** Signers are not objects: permission is given for one by its name, or for all of a domain. */
export async function isAuthorizedForSigner(
  { user, verb, signerName, signal }: SignerRequest,
  { authorize, reportError }: SignerSources,
): Promise<boolean> {
  const [domain = ''] = signerName.split('/');
  for (const name of [signerName, `${domain}/*`]) {
    try {
      const info = signerInfo(verb, name);
      if ((await authorize({ user, info, cancellation: { signal } })).allowed) return true;
    } catch (error) {
      reportError?.(error);
    }
  }
  return false;
}

function signerInfo(verb: string, name: string): AccessInfo {
  return {
    isResourceRequest: true,
    verb,
    path: '',
    group: 'certificates.k8s.io',
    version: '*',
    namespace: '',
    resource: 'signers',
    subresource: '',
    name,
    fieldSelector: '',
    labelSelector: '',
  };
}
