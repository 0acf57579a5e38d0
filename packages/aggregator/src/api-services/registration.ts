import type { BackendConfig } from '@tributary/proxy';

/** A decoded APIService: made once per change, immutable. */
export interface Registration {
  /** `VERSION.GROUP`, the name of the APIService. */
  readonly name: string;
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** The backend; undefined when this process serves the group version itself. */
  readonly remote: RemoteServer | undefined;
}

/** A registration served by a backend. */
export interface RemoteRegistration extends Registration {
  readonly remote: RemoteServer;
}

/** The address of a backend, and the options of requests to it. */
export interface RemoteServer extends BackendConfig {
  /** Allows forwarding of the request's bearer token to the backend. Stand-alone only. */
  readonly forwardsToken: boolean;
}

/** Annotations of APIServices, in addition to upstream's fields. */
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
