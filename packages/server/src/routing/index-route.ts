import type { ApiDefinition } from '../definition/api.ts';
import { groupVersionPath } from '../definition/served-versions.ts';
import { indentJson } from '../request/json-indent.ts';
import type { ApiResponse } from '../request/pipeline.ts';
import type { Route } from './router.ts';

/** The paths that every server has beside its groups. */
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

/** `/`: the served paths. */
export function indexRoute(
  apis: readonly ApiDefinition[] | (() => readonly ApiDefinition[]),
  more: readonly string[] = [],
): Route {
  let known: { readonly apis: readonly ApiDefinition[]; readonly bytes: Uint8Array } | undefined;
  return ({ path }) => {
    if (!isIndex(path)) return undefined;
    const now = typeof apis === 'function' ? apis() : apis;
    if (known?.apis !== now) {
      known = { apis: now, bytes: indexBytes([...indexPaths(now), ...more]) };
    }
    return indexResponse(known.bytes);
  };
}

/** The server's own paths and those of its groups. */
export function indexPaths(apis: readonly ApiDefinition[]): string[] {
  return [
    ...COMMON_PATHS,
    ...apis.flatMap((api) => [
      api.group === '' ? '/api' : `/apis/${api.group}`,
      ...api.versions.map((version) => groupVersionPath(api, version)),
    ]),
  ];
}

/** The document of some paths; order and duplicates do not matter. */
export function indexBytes(paths: readonly string[]): Uint8Array {
  return indentJson(Buffer.from(JSON.stringify({ paths: [...new Set(paths)].sort() })));
}

export function isIndex(path: string): boolean {
  return path === '/' || path === '/index.html';
}

export function indexResponse(bytes: Uint8Array): ApiResponse {
  return { kind: 'bytes', code: 200, contentType: 'application/json', chunks: [bytes] };
}
