import { forbidden, goQuote } from '@tributary/apimachinery';
import type { ApiRequest, Filter } from '../pipeline.ts';
import type { RequestInfo } from '../request-info.ts';
import { withHeaders } from '../respond.ts';
import { statusResponse } from './status-errors.ts';

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason?: string };

export type Authorizer = (request: ApiRequest) => Promise<Decision> | Decision;

/** Browsers may show the answer, and the path in it comes from anybody. */
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const withAuthorization =
  (authorize: Authorizer): Filter =>
  (next) =>
  async (request) => {
    const decision = await authorize(request);
    if (decision.allowed) return next(request);
    const { info, user } = request;
    const why = [denial(user.name, info), ...(decision.reason ? [decision.reason] : [])].join(': ');
    const resource = { group: info.group, resource: info.resource };
    const text = why.replace(/[&<>]/g, (sign) => HTML[sign] ?? sign);
    return withHeaders(statusResponse(forbidden(resource, info.name, text)), [
      ['X-Content-Type-Options', 'nosniff'],
    ]);
  };

/** The words of upstream: people search for them, and tools match on them. */
function denial(user: string, info: RequestInfo): string {
  const who = `User ${goQuote(user)} cannot ${info.verb}`;
  if (!info.isResourceRequest) return `${who} path ${goQuote(info.path)}`;
  const resource = info.subresource ? `${info.resource}/${info.subresource}` : info.resource;
  const what = `${who} resource ${goQuote(resource)} in API group ${goQuote(info.group)}`;
  return info.namespace === ''
    ? `${what} at the cluster scope`
    : `${what} in the namespace ${goQuote(info.namespace)}`;
}
