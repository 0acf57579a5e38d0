import type { Filter, HeaderList } from '../pipeline.ts';

export interface AnswerHeaderOptions {
  /** Directives of `Strict-Transport-Security`; none sends no such header. */
  readonly hstsDirectives?: readonly string[];
}

const CACHE_CONTROL = ['Cache-Control', 'no-cache, private'] as const;

/** Headers of every answer, also a failure's: warnings, what caches may do, and the number of the request. */
export function withAnswerHeaders({ hstsDirectives = [] }: AnswerHeaderOptions): Filter {
  const hsts = ['Strict-Transport-Security', hstsDirectives.join('; ')] as const;
  return (next) => async (request) => {
    const response = await next(request);
    const own = response.headers ?? [];
    const lines = [...own, ...request.warnings.headers()];
    // Endpoints that may be cached, such as OpenAPI documents named by their hash, say so themselves.
    if (!hasLine(own, 'cache-control')) lines.push(CACHE_CONTROL);
    if (hstsDirectives.length > 0) lines.push(hsts);
    if (request.context !== undefined) lines.push(['Audit-Id', request.context.auditId]);
    return { ...response, headers: lines };
  };
}

function hasLine(lines: HeaderList, name: string): boolean {
  return lines.some(([candidate]) => candidate.toLowerCase() === name);
}
