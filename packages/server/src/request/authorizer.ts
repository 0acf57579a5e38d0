import { forbidden, goQuote, type StatusError } from '@tributary/apimachinery';
import type { UserInfo } from './pipeline.ts';
import type { RequestInfo } from './request-info.ts';

export type Decision =
  | { readonly allowed: true; readonly reason?: string }
  /** `denied`: nobody else is asked. Otherwise whoever is asked next may allow it. */
  | { readonly allowed: false; readonly denied?: true; readonly reason?: string };

/** What somebody wants to do. Every request is one, and reviews ask about others that were never sent. */
export interface AccessRequest {
  readonly user: UserInfo;
  readonly info: AccessInfo;
  /** Ends the wait for a decision; absent where nobody waits. */
  readonly cancellation?: { readonly signal: AbortSignal };
}

/** The part of a request that permissions are about. */
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

/** Answers without a promise where it can. What it throws is an outage of its own, and answered 500. */
export type Authorizer = (request: AccessRequest) => Promise<Decision> | Decision;

/** Browsers may show the answer, and the path in it comes from anybody. */
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** 403 for something that a filter asked about, in the words of a refused request. */
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
