import { forbidden, goQuote, type StatusError } from '@tributary/apimachinery';
import type { AccessInfo, AccessRequest } from './authorization.ts';

/** Browsers may show the answer, and the path in it comes from anybody. */
const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** 403 for something that a filter asked about, in the words of a refused request. */
export function accessDenied({ user, info }: AccessRequest, reason = ''): StatusError {
  const why = denial(user.name, info).replace(/[&<>]/g, (sign) => HTML[sign] ?? sign);
  const resource = { group: info.group, resource: info.resource };
  return forbidden(resource, info.name, reason === '' ? why : `${why}: ${reason}`);
}

function denial(user: string, info: AccessInfo): string {
  const who = `User ${goQuote(user)} cannot ${info.verb}`;
  if (!info.isResourceRequest) return `${who} path ${goQuote(info.path)}`;
  const resource = info.subresource ? `${info.resource}/${info.subresource}` : info.resource;
  const what = `${who} resource ${goQuote(resource)} in API group ${goQuote(info.group)}`;
  return info.namespace === ''
    ? `${what} at the cluster scope`
    : `${what} in the namespace ${goQuote(info.namespace)}`;
}
