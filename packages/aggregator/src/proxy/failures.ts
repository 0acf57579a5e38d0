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
 * Nothing was sent: it is known that nobody would answer. Without a time to ask again: Kubernetes' clients would, ten
 * times, and their users wait for what is known already.
 */
export function unavailable(
  registration: Registration,
  { reason, message }: Pick<AvailabilityState, 'reason' | 'message'>,
): StatusError {
  const about = message === '' ? reason : `${reason}: ${message}`;
  return serviceUnavailable(`${groupVersionOf(registration)} is unavailable: ${about}`);
}

/** No answer came; the words begin as upstream's. */
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
      // The server may have done what it was asked for, so nobody is told to ask again.
      return serviceUnavailable(`error trying to reach service: ${failure.message}`);
  }
}

/** As servers answer that speak HTTP/1.1, where it is a plain response. */
function headTooLarge(message: string): StatusError {
  return plainError(`Request Header Fields Too Large: ${message}`, 431);
}

/** The time of a discovery request is shorter than others': whoever asks wants to know about many servers. */
export function discoveryTimeout(registration: Registration, seconds: number): StatusError {
  return serviceUnavailable(
    `error trying to reach service: context deadline exceeded: no answer from ${groupVersionOf(registration)} within ${seconds}s`,
  );
}

/** The time that the APIService gives its server. */
export function requestTimeout(registration: Registration, timeoutMs: number): StatusError {
  const server = groupVersionOf(registration);
  return timeout(`no response from ${server} within the ${timeoutMs / 1000}s of its APIService`);
}

export function missingUser(): StatusError {
  return plainError('missing user');
}
