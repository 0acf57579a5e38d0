import { parseRequestInfo, type RequestInfo } from '../../request/request-info.ts';

/** Cached paths, and their maximum length: about 2 MB in all, without their cached responses. */
const KEPT_MAX = 1000;
const KEPT_PATH_MAX = 512;

/** Parses request targets; those without a query are cached, because clients read the same objects again and again. */
export function knownTargets(): (
  method: string,
  path: string,
  query: URLSearchParams,
) => RequestInfo {
  const kept = new Map<string, RequestInfo>();
  return (method, path, query) => {
    if (method !== 'GET' || query.size > 0 || path.length > KEPT_PATH_MAX) {
      return parseRequestInfo(method, path, query);
    }
    let info = kept.get(path);
    if (info === undefined) {
      info = { ...parseRequestInfo(method, path, query), cached: { response: undefined } };
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(path, info);
    }
    return info;
  };
}
