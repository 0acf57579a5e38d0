import type { StatusError } from '@tributary/apimachinery';
import type { ApiResponse } from './pipeline.ts';

/** A Status as an answer, with the header that says when to come again. */
export function statusResponse(error: StatusError): ApiResponse {
  const retryAfter = error.status.details?.retryAfterSeconds;
  return {
    kind: 'object',
    code: error.code,
    object: error.status,
    headers: retryAfter ? [['Retry-After', String(retryAfter)]] : [],
  };
}
