/** A server that requests are forwarded to, under the name that its errors and metrics have. */
export interface BackendServer {
  readonly name: string;
  /** Differs when another object has the same name later. */
  readonly uid: string;
  readonly remote: BackendConfig;
}

/** Where a server is, which certificates are trusted there, and how much it is sent at once. */
export interface BackendConfig {
  readonly service: {
    readonly namespace: string;
    readonly name: string;
    readonly port: number;
  };
  /** Is dialled in place of the service, and gives the TLS name. */
  readonly url: URL | undefined;
  /** PEM; undefined: the system's certificates. It is parsed when the first connection is made. */
  readonly caBundle: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly limits: BackendLimits;
}

/** The limits of one server; a request beyond them is 429 with Retry-After. */
export interface BackendLimits {
  readonly requestsInFlightMax: number;
  readonly watchesMax: number;
  /** Of all responses together; undefined: no limit. */
  readonly bytesPerSecondMax: number | undefined;
  /** Requests and watches that begin; undefined: no limit. */
  readonly requestsPerSecondMax: number | undefined;
  /** In place of the server's request timeout, for requests without one of their own; afterwards it is 504. */
  readonly requestTimeoutMs: number | undefined;
}

export const defaultBackendLimits: BackendLimits = {
  requestsInFlightMax: 400,
  watchesMax: 10_000,
  bytesPerSecondMax: undefined,
  requestsPerSecondMax: undefined,
  requestTimeoutMs: undefined,
};
