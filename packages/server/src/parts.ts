/** What a control plane is built from, beside the public surface. It may change with every release. */

export { bearerTokenAuthenticator, type TokenLookup } from './auth/bearer-token.ts';
export type { Credentials } from './auth/build-authenticator.ts';
export type { ObjectChange } from './definition/lifecycle.ts';
export { anonymous } from './filters/authentication.ts';
export {
  type NamespaceGuard,
  type NamespaceState,
  type NewPlace,
  requireOpenNamespace,
} from './registry/namespace-guard.ts';
export { storedForm } from './registry/stored-form.ts';
export type { Route } from './router.ts';
export type { NamespaceSource } from './serve-resources.ts';
