import type { Filter, HeaderList } from '../request/pipeline.ts';
import { withHeaders } from '../request/respond.ts';

const METHODS = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const HEADERS =
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** The operator's patterns match clients' origins: the length limit bounds the cost. */
const ORIGIN_LENGTH_MAX = 512;

/** Allows pages of these origins. Before authentication, because a browser's preflight request has no credentials. */
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
