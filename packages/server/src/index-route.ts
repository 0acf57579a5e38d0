import type { ApiDefinition } from './api.ts';
import { indentJson } from './json-indent.ts';
import type { Route } from './router.ts';

/** What is at `/`: the paths where something is served, for people who look around. */
export function indexRoute(apis: readonly ApiDefinition[]): Route {
  const paths = ['/apis', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];
  for (const { group, versions } of apis) {
    paths.push(`/apis/${group}`, ...versions.map((version) => `/apis/${group}/${version}`));
  }
  const bytes = indentJson(Buffer.from(JSON.stringify({ paths: paths.sort() })));
  return ({ path }) =>
    path === '/'
      ? { kind: 'bytes', code: 200, contentType: 'application/json', chunks: [bytes] }
      : undefined;
}
