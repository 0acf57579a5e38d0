import type { RequestHeaderNames } from './request-header-names.ts';
import type { StaticTokens } from './token-file.ts';

/** What can change while a server runs; connections that are open keep what they have. */
export interface Reload {
  readonly serving?: { readonly cert: string; readonly key: string };
  readonly clientCa?: string;
  readonly requestHeaderCa?: string;
  readonly requestHeaders?: RequestHeaderNames;
  readonly tokens?: StaticTokens;
}

export interface TrustSource {
  /** Tells what is known now and every change, until it is told to stop. What is bad is never told. */
  follow(hear: (changed: Reload) => void): () => void;
}
