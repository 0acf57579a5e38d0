import { andThen } from '../request/maybe-promise.ts';
import type { ApiRequest, ApiResponse, Filter, HeaderList } from '../request/pipeline.ts';

export interface ResponseHeaderOptions {
  /** Directives of `Strict-Transport-Security`; none omits the header. */
  readonly hstsDirectives?: readonly string[];
}

const CACHE_CONTROL = ['Cache-Control', 'no-cache, private'] as const;

/** Headers of every response, including failures: warnings, caching and the audit ID. */
export function withResponseHeaders({ hstsDirectives = [] }: ResponseHeaderOptions): Filter {
  const hsts = ['Strict-Transport-Security', hstsDirectives.join('; ')] as const;
  const complete = (request: ApiRequest, response: ApiResponse): ApiResponse => {
    const own = response.headers ?? [];
    const headers = [...own, ...request.warnings.headers()];
    // Cacheable endpoints, such as OpenAPI documents named by their hash, set this header themselves.
    if (!hasLine(own, 'cache-control')) headers.push(CACHE_CONTROL);
    if (hstsDirectives.length > 0) headers.push(hsts);
    const { context } = request;
    if (context !== undefined) {
      pushMissing(headers, own, ['Audit-Id', context.auditId]);
      for (const line of context.responseHeaders ?? []) pushMissing(headers, own, line);
    }
    return { ...response, headers };
  };
  return (next) => (request) => andThen(next(request), (response) => complete(request, response));
}

/** A forwarded response keeps the headers of its backend. */
function pushMissing(lines: Line[], own: HeaderList, line: Line): void {
  if (own.length === 0 || !hasLine(own, line[0].toLowerCase())) lines.push(line);
}

type Line = HeaderList[number];

function hasLine(lines: HeaderList, name: string): boolean {
  return lines.some(([candidate]) => candidate.toLowerCase() === name);
}
