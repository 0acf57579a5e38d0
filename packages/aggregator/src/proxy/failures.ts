import {
  plainError,
  type StatusError,
  serviceUnavailable,
  timeout,
  tooManyRequests,
} from '@tributary/apimachinery';
import type { BackendFailure } from '@tributary/proxy';
import type { Registration } from '../api-services/registration.ts';
import type { AvailabilityState } from '../availability/availability.ts';

const BUSY_RETRY_AFTER_SECONDS = 1;

export function groupVersionOf({ group, version }: Registration): string {
  return group === '' ? version : `${group}/${version}`;
}

/**
 * The error for an unavailable backend; nothing was sent. Without Retry-After: Kubernetes' clients would retry ten
 * times, while the state is known already.
 */
export function unavailable(
  registration: Registration,
  { reason, message }: Pick<AvailabilityState, 'reason' | 'message'>,
): StatusError {
  const about = message === '' ? reason : `${reason}: ${message}`;
  return serviceUnavailable(`${groupVersionOf(registration)} is unavailable: ${about}`);
}

/** The error for a request without a response; its message begins like upstream's. */
export function unreachable(registration: Registration, failure: BackendFailure): StatusError {
  switch (failure.hop) {
    case 'busy':
      return tooManyRequests(
        failure.message,
        failure.retryAfterSeconds ?? BUSY_RETRY_AFTER_SECONDS,
      );
    case 'head':
      return headTooLarge(failure.message);
    case 'target':
      return serviceUnavailable(
        `${groupVersionOf(registration)} is unavailable: ${failure.message}`,
      );
    default:
      // The backend may have processed the request, so there is no Retry-After.
      return serviceUnavailable(`error trying to reach service: ${failure.message}`);
  }
}

/** The plain response of HTTP/1.1 servers. */
function headTooLarge(message: string): StatusError {
  return plainError(`Request Header Fields Too Large: ${message}`, 431);
}

/** Shorter than the timeout of other requests: discovery clients read many backends. */
export function discoveryTimeout(registration: Registration, seconds: number): StatusError {
  return serviceUnavailable(
    `error trying to reach service: context deadline exceeded: no answer from ${groupVersionOf(registration)} within ${seconds}s`,
  );
}

/** The timeout that the APIService's annotation sets. */
export function requestTimeout(registration: Registration, timeoutMs: number): StatusError {
  const server = groupVersionOf(registration);
  return timeout(`no response from ${server} within the ${timeoutMs / 1000}s of its APIService`);
}

export function missingUser(): StatusError {
  return plainError('missing user');
}
