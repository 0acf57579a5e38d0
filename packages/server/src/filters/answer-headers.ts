import type { ApiRequest, ApiResponse, Filter, HeaderList } from '../pipeline.ts';
import { whenSettled } from '../settle.ts';

export interface AnswerHeaderOptions {
  /** Directives of `Strict-Transport-Security`; none sends no such header. */
  readonly hstsDirectives?: readonly string[];
}

const CACHE_CONTROL = ['Cache-Control', 'no-cache, private'] as const;

/** Headers of every answer, also a failure's: warnings, what caches may do, and the number of the request. */
export function withAnswerHeaders({ hstsDirectives = [] }: AnswerHeaderOptions): Filter {
  const hsts = ['Strict-Transport-Security', hstsDirectives.join('; ')] as const;
  const complete = (request: ApiRequest, response: ApiResponse): ApiResponse => {
    const own = response.headers ?? [];
    const lines = [...own, ...request.warnings.headers()];
    // Endpoints that may be cached, such as OpenAPI documents named by their hash, say so themselves.
    if (!hasLine(own, 'cache-control')) lines.push(CACHE_CONTROL);
    if (hstsDirectives.length > 0) lines.push(hsts);
    const { context } = request;
    if (context !== undefined) {
      lines.push(['Audit-Id', context.auditId]);
      if (context.answerHeaders !== undefined) lines.push(...context.answerHeaders);
    }
    return { ...response, headers: lines };
  };
  return (next) => (request) =>
    whenSettled(next(request), (response) => complete(request, response));
}

function hasLine(lines: HeaderList, name: string): boolean {
  return lines.some(([candidate]) => candidate.toLowerCase() === name);
}
