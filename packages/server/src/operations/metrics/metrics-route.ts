import type { Route } from '../../routing/router.ts';
import type { MetricsRegistry } from './registry.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics`. */
export function metricsRoute(registry: MetricsRegistry): Route {
  return async ({ path, method }) => {
    if (path !== '/metrics' || method !== 'GET') return undefined;
    const text = Buffer.from(registry.text());
    return { kind: 'bytes', code: 200, contentType: CONTENT_TYPE, chunks: [text] };
  };
}
