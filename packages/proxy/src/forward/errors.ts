import { plainError, type StatusError, serviceUnavailable } from '@tributary/apimachinery';

/** As upstream, word for word. */
export function redirected(): StatusError {
  return plainError('the backend attempted to redirect this request, which is not permitted', 502);
}

/** HTTP knows no such code, and a client may have no way to say it. */
export function invalidStatus(status: number): StatusError {
  return plainError(`the backend answered with the invalid status code ${status}`, 502);
}

export function invalidUpgradeResponse(status: number): StatusError {
  return serviceUnavailable(`invalid upgrade response: status code ${status}`);
}

export function cannotHijack(): StatusError {
  return serviceUnavailable(
    'request connection cannot be hijacked: an upgrade needs HTTP/1.1 and a request without a body',
  );
}
