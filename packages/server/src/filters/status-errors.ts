import { internalError, StatusError, timeout } from '@tributary/apimachinery';
import type { ApiResponse, Filter } from '../pipeline.ts';
import { DeadlineExceeded } from './deadline.ts';

/** The one place where what inner code throws becomes what a client sees. */
export const withStatusErrors =
  (reportBug: (error: unknown) => void): Filter =>
  (next) =>
  async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (error instanceof StatusError) {
        // The client is told to try again; why is for whoever runs the server.
        if (error.code >= 500 && error.cause !== undefined) reportBug(error.cause);
        return statusResponse(error);
      }
      if (error instanceof DeadlineExceeded) {
        return statusResponse(timeout('request did not complete within the allotted timeout'));
      }
      // The client is gone: nobody reads the answer, and it is no bug of ours.
      if (request.cancellation.reason === undefined) reportBug(error);
      return statusResponse(internalError(new Error('an unexpected error, see the server log')));
    }
  };

export function statusResponse(error: StatusError): ApiResponse {
  const retryAfter = error.status.details?.retryAfterSeconds;
  return {
    kind: 'object',
    code: error.code,
    object: error.status,
    headers: retryAfter ? [['Retry-After', String(retryAfter)]] : [],
  };
}
