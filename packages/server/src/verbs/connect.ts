import { badRequest, notFound } from '@tributary/apimachinery';
import type { ConnectSubresource } from '../definition/subresource.ts';
import type { ReadableResources } from '../registry/reads.ts';
import type { Endpoint, StoredResource } from '../served-resource.ts';
import { objectPath } from './object-path.ts';

/** The segments before what follows a subresource: resource, name, subresource. */
const SUBRESOURCE_PARTS = 3;

/** A connection to an object: what happens on it is the author's. */
export function connectEndpoint(
  served: StoredResource,
  { connect }: ConnectSubresource,
  resources: ReadableResources,
): Endpoint {
  return async (request) => {
    const { info, query, cancellation } = request;
    const path = objectPath(info, served);
    if (query.has('dryRun')) throw badRequest('dryRun is not supported');
    const found = await served.cache.get(path, { kind: 'latest' }, cancellation);
    if (found === undefined) throw notFound(served.resource, info.name);
    return connect({
      object: found.object(),
      request,
      path: info.parts.slice(SUBRESOURCE_PARTS).join('/'),
      read: resources.reader(cancellation.signal),
    });
  };
}
