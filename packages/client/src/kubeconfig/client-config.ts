/** How to reach one API server, and as whom. Plain data; `createTransport` makes connections of it. */
export interface ClientConfig {
  /** `https://host:port`, possibly with a path in front of every request. */
  readonly server: string;
  /** Who may have signed the server's certificate; the roots that come with Node when absent. */
  readonly ca?: PemSource;
  /** The name to ask for and to verify, instead of the host of `server`. */
  readonly tlsServerName?: string;
  /** Believes any server. */
  readonly insecureSkipTlsVerify?: boolean;
  readonly identity: Identity;
  /** Where namespaced requests go when nobody says otherwise. */
  readonly namespace: string;
  /** Answers are asked for with gzip unless this is set. */
  readonly disableCompression?: boolean;
}

/** PEM text, or a file with it, which is read again from time to time because somebody may renew it. */
export type PemSource = { readonly pem: string } | { readonly file: string };

/** Everything absent is an anonymous client. */
export interface Identity {
  readonly certificate?: { readonly certificate: PemSource; readonly key: PemSource };
  readonly authorization?: Authorization;
  readonly impersonate?: Impersonation;
}

export type Authorization =
  | { readonly kind: 'token'; readonly token: string }
  /** The file is read again every minute; `token` serves until it can be read. */
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
  /** What the plugin learns of the cluster, when it wants to. */
  readonly cluster?: Readonly<Record<string, unknown>>;
}

/** Acts for somebody else; the server asks whether the real user may. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
