import { forbidden, goQuote, type StatusError } from '@tributary/apimachinery';
import type { UserInfo } from './pipeline.ts';
import type { RequestInfo } from './request-info.ts';

export type Decision =
  | { readonly allowed: true; readonly reason?: string }
  /** `denied` ends the authorization; otherwise the next authorizer may allow the request. */
  | { readonly allowed: false; readonly denied?: true; readonly reason?: string };

/** Attributes of a request, or of an access review about a request that was never sent. */
export interface AccessRequest {
  readonly user: UserInfo;
  readonly info: AccessInfo;
  /** Aborts a pending decision; absent where no client waits for it. */
  readonly cancellation?: { readonly signal: AbortSignal };
}

/** The part of RequestInfo that authorization depends on. */
export type AccessInfo = Pick<
  RequestInfo,
  | 'isResourceRequest'
  | 'verb'
  | 'path'
  | 'group'
  | 'version'
  | 'namespace'
  | 'resource'
  | 'subresource'
  | 'name'
  | 'fieldSelector'
  | 'labelSelector'
>;

/** Returns no promise where it can. A thrown error becomes a 500. */
export type Authorizer = (request: AccessRequest) => Promise<Decision> | Decision;

/** Browsers may render the response, and clients control the path in it. */
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Forbidden with upstream's message. */
export function accessDenied({ user, info }: AccessRequest, reason = ''): StatusError {
  const message = denialMessage(user.name, info).replace(/[&<>]/g, (sign) => HTML[sign] ?? sign);
  const resource = { group: info.group, resource: info.resource };
  return forbidden(resource, info.name, reason === '' ? message : `${message}: ${reason}`);
}

function denialMessage(user: string, info: AccessInfo): string {
  const prefix = `User ${goQuote(user)} cannot ${info.verb}`;
  if (!info.isResourceRequest) return `${prefix} path ${goQuote(info.path)}`;
  const resource = info.subresource ? `${info.resource}/${info.subresource}` : info.resource;
  const message = `${prefix} resource ${goQuote(resource)} in API group ${goQuote(info.group)}`;
  return info.namespace === ''
    ? `${message} at the cluster scope`
    : `${message} in the namespace ${goQuote(info.namespace)}`;
}

export type AuthorizationResult = 'allowed' | 'denied' | 'no-opinion' | 'error';
