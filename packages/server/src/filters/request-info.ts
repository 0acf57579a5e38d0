import { plainError } from '@tributary/apimachinery';
import type { Filter } from '../request/pipeline.ts';

/** A path without a meaning cannot be authorized, so it goes no further. Upstream answers 500 too. */
export const withRequestInfo: Filter = (next) => (request) => {
  if (request.info.failure !== undefined) throw plainError(request.info.failure);
  return next(request);
};
