import type { ApiRequest } from '../../request/pipeline.ts';
import type { RequestInfo } from '../../request/request-info.ts';

/** The labels of a request, with upstream's values. */
export interface RequestLabels {
  readonly verb: string;
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  readonly component: string;
}

const VERBS = new Set(['DELETE', 'GET', 'LIST', 'PATCH', 'POST', 'PUT']);
const CONNECT_SUBRESOURCES = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);
const APPLY_PATCH = 'application/apply-patch+yaml';

export function requestLabels(request: ApiRequest): RequestLabels {
  const { info } = request;
  const { isResourceRequest } = info;
  return {
    verb: reportedVerb(request),
    dryRun: dryRunLabel(request),
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: isResourceRequest ? info.subresource : info.path,
    scope: scopeOf(info),
    component: isResourceRequest ? 'apiserver' : '',
  };
}

/** LIST differs from GET, WATCH from both, and APPLY from PATCH; unknown verbs are `other`. */
export function reportedVerb({ method, info, headers }: ApiRequest): string {
  if (info.isResourceRequest && CONNECT_SUBRESOURCES.has(info.subresource)) return 'CONNECT';
  if (info.verb === 'watch') return 'WATCH';
  if (method === 'GET' || method === 'HEAD') {
    const scope = scopeOf(info);
    return scope === 'resource' || scope === '' ? 'GET' : 'LIST';
  }
  if (method === 'PATCH' && headers.get('content-type') === APPLY_PATCH) return 'APPLY';
  return VERBS.has(method) ? method : 'other';
}

export function scopeOf(info: RequestInfo): string {
  if (info.name !== '' || info.verb === 'create') return 'resource';
  if (info.namespace !== '') return 'namespace';
  return info.isResourceRequest ? 'cluster' : '';
}

function dryRunLabel({ query }: ApiRequest): string {
  if (query.size === 0 || !query.has('dryRun')) return '';
  return query.getAll('dryRun').every((value) => value === 'All') ? 'All' : 'invalid';
}
