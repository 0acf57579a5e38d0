import type { ApiDefinition } from './api.ts';
import { groupVersionPath } from './discovery/served.ts';
import { indentJson } from './json-indent.ts';
import type { Route } from './router.ts';

/** What every server has beside its groups. */
const COMMON_PATHS: readonly string[] = [
  '/apis',
  '/healthz',
  '/livez',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/readyz',
  '/version',
];

/** What is at `/`: the paths where something is served, for people who look around. */
export function indexRoute(apis: readonly ApiDefinition[], more: readonly string[] = []): Route {
  const paths = new Set([...COMMON_PATHS, ...more]);
  for (const api of apis) {
    paths.add(api.group === '' ? '/api' : `/apis/${api.group}`);
    for (const version of api.versions) paths.add(groupVersionPath(api, version));
  }
  const bytes = indentJson(Buffer.from(JSON.stringify({ paths: [...paths].sort() })));
  return ({ path }) =>
    path === '/' || path === '/index.html'
      ? { kind: 'bytes', code: 200, contentType: 'application/json', chunks: [bytes] }
      : undefined;
}
