/** Forwards requests to what runs in the cluster: pods, and the kubelets of nodes. */
import { badRequest, StatusError, serviceUnavailable } from '@tributary/apimachinery';
import type { ForwardOptions as ProxyOptions } from '@tributary/proxy';
import { directBackend, forwardRequest, isUpgradeRequest, requestHeaders } from '@tributary/proxy';
import type { ApiRequest, ApiResponse } from '@tributary/server';
import { plainError } from '../../../shared/plain-failure.ts';
import { dialErrorText } from './dial-error.ts';
import type { Location } from './location.ts';

export interface ForwardOptions extends Pick<ProxyOptions, 'respond'> {
  /** The endpoint speaks another protocol than HTTP. */
  readonly upgradeRequired?: boolean;
  /** The error for a client when there is no response. */
  readonly unreachable?: (reason: string) => StatusError;
}

export async function forward(
  request: ApiRequest,
  location: Location,
  { upgradeRequired = false, unreachable = notReached, respond }: ForwardOptions = {},
): Promise<ApiResponse> {
  if (upgradeRequired && !isUpgradeRequest(request)) throw notUpgraded();
  const { scheme, address, port, target } = location;
  const host = hostOfRequest(request);
  return forwardRequest(request, {
    backend: directBackend(
      { host: address, port, serverName: address },
      { scheme, authority: host },
    ),
    path: target,
    headers: (isUpgrade) => requestHeaders(request, { isUpgrade, forwarded: { host } }),
    explain: (error) =>
      error instanceof StatusError ? error : unreachable(dialErrorText(error, location)),
    invalidUpgrade: (status) => plainError(`invalid upgrade response: status code ${status}`),
    cannotUpgrade: notUpgraded,
    ...(respond && { respond }),
  });
}

/** The `Host` that the client sent, over either protocol. */
export function hostOfRequest({ headers }: Pick<ApiRequest, 'headers'>): string {
  return headers.get('host') ?? headers.get(':authority') ?? '';
}

function notReached(reason: string): StatusError {
  return serviceUnavailable(`error trying to reach service: ${reason}`);
}

function notUpgraded(): StatusError {
  return badRequest('Upgrade request required');
}
