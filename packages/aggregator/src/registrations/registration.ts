/** An APIService as the aggregator works with it: read once per change, never changed. */
export interface Registration {
  /** `VERSION.GROUP`, the name of the APIService. */
  readonly name: string;
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** Who serves it; undefined: this process itself. */
  readonly remote: RemoteServer | undefined;
}

/** A registration that another server serves. */
export interface RemoteRegistration extends Registration {
  readonly remote: RemoteServer;
}

/** Where another server is, whom to believe there, and how much it is asked at once. */
export interface RemoteServer {
  readonly service: {
    readonly namespace: string;
    readonly name: string;
    readonly port: number;
  };
  /** Is dialled in place of the service, and gives the TLS name. From an annotation. */
  readonly url: URL | undefined;
  /** PEM; undefined: whom the system believes. What is not PEM is found out by who uses it. */
  readonly caBundle: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly limits: BackendLimits;
  /** The user has agreed that this server gets the bearer token of the request. Stand-alone only. */
  readonly forwardsToken: boolean;
}

/** What one server gets at most; more is 429 with Retry-After. */
export interface BackendLimits {
  readonly requestsInFlightMax: number;
  readonly watchesMax: number;
  /** Of all answers together; undefined: as fast as they come. */
  readonly bytesPerSecondMax: number | undefined;
  /** Requests and watches that begin; undefined: no bound. */
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

/** Of APIServices, beside upstream's fields. */
export const annotations = {
  url: 'aggregation.tributary.dev/url',
  requestsInFlightMax: 'aggregation.tributary.dev/max-requests-in-flight',
  watchesMax: 'aggregation.tributary.dev/max-watches',
  bytesPerSecondMax: 'aggregation.tributary.dev/max-response-bytes-per-second',
  requestsPerSecondMax: 'aggregation.tributary.dev/max-requests-per-second',
  requestTimeout: 'aggregation.tributary.dev/request-timeout',
  forwardsToken: 'aggregation.tributary.dev/forward-bearer-token',
} as const;

export function isRemote(registration: Registration): registration is RemoteRegistration {
  return registration.remote !== undefined;
}
