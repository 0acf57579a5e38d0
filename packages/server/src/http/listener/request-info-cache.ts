import { parseRequestInfo, type RequestInfo } from '../../request/request-info.ts';

/** Cached paths, and their maximum length: about 2 MB in all, without their cached responses. */
const CACHED_MAX = 1000;
const CACHED_PATH_MAX = 512;

/** Parses request targets; those without a query are cached, because clients read the same objects again and again. */
export function requestInfoCache(): (
  method: string,
  path: string,
  query: URLSearchParams,
) => RequestInfo {
  const cached = new Map<string, RequestInfo>();
  return (method, path, query) => {
    if (method !== 'GET' || query.size > 0 || path.length > CACHED_PATH_MAX) {
      return parseRequestInfo(method, path, query);
    }
    let info = cached.get(path);
    if (info === undefined) {
      info = { ...parseRequestInfo(method, path, query), cached: { response: undefined } };
      if (cached.size >= CACHED_MAX) cached.clear();
      cached.set(path, info);
    }
    return info;
  };
}
