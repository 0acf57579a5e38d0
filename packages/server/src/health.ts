import { textResponse } from './respond.ts';
import type { Route } from './router.ts';

const PATHS = new Set(['/healthz', '/livez', '/readyz']);

/** Liveness and readiness; a server that answers at all has opened its store. */
export const healthRoute: Route = ({ path, method }) => {
  if (!PATHS.has(path) || method !== 'GET') return undefined;
  return textResponse(200, 'ok');
};
