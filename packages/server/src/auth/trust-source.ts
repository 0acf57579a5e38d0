import type { RequestHeaderNames } from './request-header-names.ts';
import type { StaticTokens } from './token-file.ts';

/** Credentials that can change while a server runs; open connections are not affected. */
export interface Reload {
  readonly serving?: { readonly cert: string; readonly key: string };
  readonly clientCa?: string;
  readonly requestHeaderCa?: string;
  readonly requestHeaders?: RequestHeaderNames;
  readonly tokens?: StaticTokens;
}

export interface TrustSource {
  /** Calls the listener with the current credentials and with every valid change. Returns the function that ends it. */
  follow(listener: (changed: Reload) => void): () => void;
}
