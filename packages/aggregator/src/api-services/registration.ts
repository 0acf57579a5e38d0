import type { BackendConfig } from '@tributary/proxy';

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

/** Where another server is, and what it is sent. */
export interface RemoteServer extends BackendConfig {
  /** The user has agreed that this server gets the bearer token of the request. Stand-alone only. */
  readonly forwardsToken: boolean;
}

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
