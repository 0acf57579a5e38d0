import type { Filter } from '../pipeline.ts';
import { withHeaders } from '../respond.ts';

/** Endpoints that may be cached, such as OpenAPI documents named by their hash, say so themselves. */
export const withCacheControl: Filter = (next) => async (request) => {
  const response = await next(request);
  const decided = response.headers?.some(([name]) => name.toLowerCase() === 'cache-control');
  return decided ? response : withHeaders(response, [['Cache-Control', 'no-cache, private']]);
};
