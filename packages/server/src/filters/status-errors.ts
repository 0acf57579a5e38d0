import { plainError, StatusError, serviceUnavailable, timeout } from '@tributary/apimachinery';
import { ServerStopping } from '../operations/shutdown.ts';
import { runCatching } from '../request/maybe-promise.ts';
import type { ApiRequest, ApiResponse, Filter } from '../request/pipeline.ts';
import { statusResponse } from '../request/status-response.ts';
import { DeadlineExceeded } from './deadline.ts';

/** Upstream's text for a panic, word for word, because people search for it. */
const BUG = 'This request caused apiserver to panic. Look in the logs for details.';

/** The one place where errors are converted to responses. */
export const withStatusErrors =
  (reportBug: (error: unknown) => void): Filter =>
  (next) =>
  (request) =>
    runCatching<ApiResponse>(() => next(request), {
      onError: (error) => statusOf(error, request, reportBug),
    });

function statusOf(
  error: unknown,
  request: ApiRequest,
  reportBug: (error: unknown) => void,
): ApiResponse {
  if (error instanceof StatusError) {
    // The response has no internals; the log has the cause.
    if (error.code >= 500 && error.cause !== undefined) reportBug(error.cause);
    return statusResponse(error);
  }
  if (error instanceof DeadlineExceeded) {
    return statusResponse(timeout('request did not complete within the allotted timeout'));
  }
  if (error instanceof ServerStopping) {
    return statusResponse(serviceUnavailable('apiserver is shutting down', 1));
  }
  // After a disconnect there is no reader of the response, and the error is a consequence.
  if (request.cancellation.reason === undefined) reportBug(error);
  return statusResponse(plainError(BUG));
}
