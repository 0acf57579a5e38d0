import { plainError, type StatusError, serviceUnavailable } from '@tributary/apimachinery';

/** Upstream's error, word for word. */
export function redirected(): StatusError {
  return plainError('the backend attempted to redirect this request, which is not permitted', 502);
}

/** HTTP has no such code, and HTTP/2 cannot send it. */
export function invalidStatus(status: number): StatusError {
  return plainError(`the backend responded with the invalid status code ${status}`, 502);
}

export function invalidUpgradeResponse(status: number): StatusError {
  return serviceUnavailable(`invalid upgrade response: status code ${status}`);
}

export function cannotHijack(): StatusError {
  return serviceUnavailable(
    'request connection cannot be hijacked: an upgrade needs HTTP/1.1 and a request without a body',
  );
}
