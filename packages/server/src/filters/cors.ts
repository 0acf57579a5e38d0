import type { Filter, HeaderList } from '../request/pipeline.ts';
import { withHeaders } from '../request/respond.ts';

const METHODS = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const HEADERS =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** The patterns are the operator's and the origin is anybody's: its length bounds what matching may cost. */
const ORIGIN_LENGTH_MAX = 512;

/** Lets pages of these origins ask. Before authentication: a browser's first question carries no credential. */
export const withCors =
  (allowedOrigins: readonly RegExp[]): Filter =>
  (next) =>
  async (request) => {
    const origin = request.headers.get('origin') ?? '';
    if (!isAllowed(origin, allowedOrigins)) return next(request);
    const lines: HeaderList = [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Methods', METHODS],
      ['Access-Control-Allow-Headers', HEADERS],
      ['Access-Control-Expose-Headers', 'Date'],
      ['Access-Control-Allow-Credentials', 'true'],
    ];
    if (request.method === 'OPTIONS') {
      return { kind: 'bytes', code: 204, contentType: '', chunks: [], headers: lines };
    }
    return withHeaders(await next(request), lines);
  };

function isAllowed(origin: string, patterns: readonly RegExp[]): boolean {
  if (origin === '' || origin.length > ORIGIN_LENGTH_MAX) return false;
  return patterns.some((pattern) => pattern.test(origin));
}
