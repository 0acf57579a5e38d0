import type { StatusError } from '@tributary/apimachinery';
import type { ApiResponse } from './pipeline.ts';

/** A Status as a response, with its Retry-After header. */
export function statusResponse(error: StatusError): ApiResponse {
  const retryAfter = error.status.details?.retryAfterSeconds;
  return {
    kind: 'object',
    code: error.code,
    object: error.status,
    headers: retryAfter ? [['Retry-After', String(retryAfter)]] : [],
  };
}
