import { parseRequestInfo, type RequestInfo } from '../../request/request-info.ts';

/** Paths that are kept, and how long they may be: about 2 MB in all, beside what is answered to them. */
const KEPT_MAX = 1000;
const KEPT_PATH_MAX = 512;

/** What paths mean; of those without a query it is kept: clients read the same objects again and again. */
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
