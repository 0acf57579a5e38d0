import { plainError } from '@tributary/apimachinery';
import type { Filter } from '../request/pipeline.ts';

/** An unparsable path cannot be authorized. Upstream responds with 500, too. */
export const withRequestInfo: Filter = (next) => (request) => {
  if (request.info.failure !== undefined) throw plainError(request.info.failure);
  return next(request);
};
