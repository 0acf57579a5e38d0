import type { Registry } from 'prom-client';
import type { Route } from '../../routing/router.ts';
import type { MetricsRegistry } from './registry.ts';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics`. The figures of the process come from a library, loaded when somebody asks for the first time. */
export function metricsRoute(registry: MetricsRegistry): Route {
  let loading: Promise<Registry> | undefined;
  return async ({ path, method }) => {
    if (path !== '/metrics' || method !== 'GET') return undefined;
    loading ??= processRegistry();
    const text = registry.text() + (await (await loading).metrics());
    return { kind: 'bytes', code: 200, contentType: CONTENT_TYPE, chunks: [Buffer.from(text)] };
  };
}

/** `process_*` and `nodejs_*`. */
export async function processRegistry(): Promise<Registry> {
  const { openProcessRegistry } = await import('./process-registry.ts');
  return openProcessRegistry();
}
