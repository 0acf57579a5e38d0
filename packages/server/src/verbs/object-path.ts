import { badRequest, goQuote, validatePathSegmentName } from '@tributary/apimachinery';
import type { ObjectName } from '../registry/resource-store.ts';
import type { ServedResource } from '../representation/served-resource.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** Where an object lies below its resource's prefix. The name becomes part of a key, so it is checked. */
export function objectPath(
  info: RequestInfo,
  { namespaced }: Pick<ServedResource, 'namespaced'>,
): string {
  requirePathSegment(info.name);
  if (!namespaced) return info.name;
  requirePathSegment(info.namespace);
  return `${info.namespace}/${info.name}`;
}

function requirePathSegment(name: string): void {
  if (name === '') throw badRequest('name must be provided');
  const problems = validatePathSegmentName(name);
  if (problems.length > 0) {
    throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
  }
}

/** The same as a name; for cluster-scoped kinds the namespace is empty. */
export function objectName(
  info: RequestInfo,
  served: Pick<ServedResource, 'namespaced'>,
): ObjectName {
  objectPath(info, served);
  return { namespace: served.namespaced ? info.namespace : '', name: info.name };
}
