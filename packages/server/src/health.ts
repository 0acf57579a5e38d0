import type { ApiResponse } from './pipeline.ts';
import { textResponse } from './respond.ts';
import type { Route } from './router.ts';

const ENDPOINTS = new Set(['healthz', 'livez', 'readyz']);
/** That the server answers is what this check says. */
const CHECKS: readonly string[] = ['ping'];

/** Liveness and readiness: in one word, check by check with `verbose`, or one check by its path. */
export const healthRoute: Route = ({ path, query }) => {
  const [, endpoint = '', check, ...rest] = path.split('/');
  if (!ENDPOINTS.has(endpoint) || rest.length > 0) return undefined;
  if (check) return CHECKS.includes(check) ? plainText('ok') : undefined;
  if (!query.has('verbose')) return textResponse(200, 'ok');
  const excluded = new Set(query.getAll('exclude'));
  const lines = CHECKS.map((name) => `[+]${name} ${excluded.has(name) ? 'excluded: ' : ''}ok`);
  return textResponse(200, [...lines, `${endpoint} check passed`, ''].join('\n'));
};

function plainText(text: string): ApiResponse {
  const contentType = 'text/plain; charset=utf-8';
  return { kind: 'bytes', code: 200, contentType, chunks: [Buffer.from(text)] };
}
