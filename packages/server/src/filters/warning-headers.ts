import type { Filter } from '../pipeline.ts';
import { withHeaders } from '../respond.ts';

export const withWarnings: Filter = (next) => async (request) => {
  const response = await next(request);
  const lines = request.warnings.headers();
  return lines.length === 0 ? response : withHeaders(response, lines);
};
