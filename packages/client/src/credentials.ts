/**
 * `@tributary/client/credentials`: headers and certificates of a kubeconfig identity. The standalone aggregator sends
 * them on connections of its own. Not a stable API.
 */

export { createCredentials, impersonationHeaders, pemReader } from './credentials/credentials.ts';
