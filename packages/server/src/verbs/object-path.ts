import { badRequest, goQuote, validatePathSegmentName } from '@tributary/apimachinery';
import type { ObjectName } from '../registry/object-name.ts';
import type { ServedResource } from '../representation/served-resource.ts';
import type { RequestInfo } from '../request/request-info.ts';

/** The path of an object below its resource's prefix. The name becomes part of a key and is validated. */
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

/** The same as a name; the namespace is empty for cluster-scoped kinds. */
export function objectName(
  info: RequestInfo,
  served: Pick<ServedResource, 'namespaced'>,
): ObjectName {
  objectPath(info, served);
  return { namespace: served.namespaced ? info.namespace : '', name: info.name };
}
