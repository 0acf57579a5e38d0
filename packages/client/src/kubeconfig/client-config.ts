/** An API server and the credentials for it. Plain data; `createTransport` makes connections of it. */
export interface ClientConfig {
  /** `https://host:port`, possibly with a path prefix. */
  readonly server: string;
  /** The authorities that may have signed the server's certificate; without it Node's roots. */
  readonly ca?: PemSource;
  /** The name for SNI and verification, instead of the host of `server`. */
  readonly tlsServerName?: string;
  /** Trusts any server. */
  readonly insecureSkipTlsVerify?: boolean;
  readonly identity: Identity;
  /** The default namespace of requests. */
  readonly namespace: string;
  /** Responses are requested with gzip unless this is set. */
  readonly disableCompression?: boolean;
}

/** PEM text, or a file with it, which is read again periodically because other programs renew it. */
export type PemSource = { readonly pem: string } | { readonly file: string };

/** Empty for an anonymous client. */
export interface Identity {
  readonly certificate?: { readonly certificate: PemSource; readonly key: PemSource };
  readonly authorization?: Authorization;
  readonly impersonate?: Impersonation;
}

export type Authorization =
  | { readonly kind: 'token'; readonly token: string }
  /** The file is read again every minute; `token` is used until it can be read. */
  | { readonly kind: 'token-file'; readonly file: string; readonly token?: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'exec'; readonly exec: ExecPlugin };

/** A program that prints credentials, see the group `client.authentication.k8s.io`. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  /** Shown when there is no such program. */
  readonly installHint?: string;
  /** The cluster's settings, which the plugin may request. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** Acts as another user; the server checks whether the real user may. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
