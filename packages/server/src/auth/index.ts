/** Authenticators for the chain of a control plane. */

export { bearerTokenAuthenticator, type TokenLookup } from './bearer-token.ts';
export { certificatePool } from './certificate-pool.ts';
export { clientCertificateAuthenticator } from './client-certificate.ts';
export { inAuthenticatedGroup } from './groups.ts';
export { standardRequestHeaders } from './request-header-names.ts';
