import { badRequest, notFound } from '@tributary/apimachinery';
import { convertItem } from '../conversion/convert-objects.ts';
import type { ConnectSubresource } from '../definition/subresource.ts';
import type { ReadableResources } from '../registry/reads.ts';
import type { Endpoint, StoredResource } from '../representation/served-resource.ts';
import { objectPath } from './object-path.ts';

/** The segments before the subpath of a subresource: resource, name, subresource. */
const SUBRESOURCE_PARTS = 3;

/** A connection to an object, handled by the author. */
export function connectEndpoint(
  served: StoredResource,
  { connect, connectMissing, objectName, before }: ConnectSubresource,
  resources: ReadableResources,
): Endpoint {
  return async (request) => {
    const { info, query, cancellation } = request;
    objectPath(info, served);
    const name = objectName?.(info.name) ?? info.name;
    const path = objectPath({ ...info, name }, served);
    if (query.has('dryRun')) throw badRequest('dryRun is not supported');
    await before?.(request);
    const found = await served.cache.get(path, { kind: 'latest' }, cancellation);
    const connection = {
      request,
      path: info.parts.slice(SUBRESOURCE_PARTS).join('/'),
      read: resources.reader(cancellation.signal),
    };
    if (found !== undefined) {
      const object = (await convertItem(served, found, cancellation)).object();
      return connect({ ...connection, object });
    }
    if (connectMissing !== undefined) return connectMissing(connection);
    throw notFound(served.resource, name);
  };
}
