import type { GroupVersion } from '@tributary/apimachinery';
import type { Clock } from '@tributary/client';
import type { ApiRequest } from '@tributary/server';
import { servePage, withoutTrailingSlashes } from '@tributary/server/discovery';
import { indexResponse, isIndex, type Route } from '@tributary/server/routing';
import type { Availability } from '../availability/availability.ts';
import type { RegistrationSnapshot } from '../registrations/registrations.ts';
import type { DiscoveryPages } from './discovery-pages.ts';
import type { RemoteVersions } from './remote-versions.ts';
import { withFallback } from './response-fallback.ts';

export interface DiscoveryRouteOptions {
  readonly pages: () => DiscoveryPages;
  readonly index: () => Uint8Array;
  readonly registrations: { readonly current: RegistrationSnapshot };
  readonly availability: Pick<Availability, 'refusal'>;
  readonly remote: Pick<RemoteVersions, 'get'>;
  /** Proxies a request to its backend. */
  readonly proxy: Route;
  readonly clock: Pick<Clock, 'schedule'>;
}

const ROOT = '/apis';

/** `/apis`, `/apis/G`, the index, and `/apis/G/V` of backends, with a bounded wait. */
export function discoveryRoute(options: DiscoveryRouteOptions): Route {
  return (request) => {
    const { path, info } = request;
    if (info.isResourceRequest) return undefined; // nearly all requests
    if (isIndex(path)) return indexResponse(options.index());
    if (!path.startsWith(ROOT)) return undefined;
    const trimmed = withoutTrailingSlashes(path);
    if (trimmed === ROOT) return servePage(options.pages().root, request);
    const [prefix, , group = '', version, ...rest] = trimmed.split('/', 5);
    if (prefix !== '' || !trimmed.startsWith(`${ROOT}/`) || rest.length > 0) return undefined;
    if (version === undefined) {
      const page = options.pages().groups.get(group);
      return page && servePage(page, request);
    }
    if (request.method !== 'GET') return undefined;
    return versionResponse(options, request, { group, version });
  };
}

/**
 * The current list of a backend. Older clients request all lists, and must not wait for a backend without a response:
 * then the last good list is served, while it counts as current.
 */
function versionResponse(
  { registrations, availability, remote, proxy, clock }: DiscoveryRouteOptions,
  request: ApiRequest,
  { group, version }: GroupVersion,
): ReturnType<Route> {
  const registration = registrations.current.byGroupVersion(group, version);
  if (registration?.remote === undefined) return undefined;
  const known = remote.get(registration.name);
  const page = known?.freshness === 'Current' ? known.document?.page() : undefined;
  if (page === undefined) return undefined;
  const cached = () => servePage(page, request);
  if (availability.refusal(registration.name) !== undefined) return cached();
  return withFallback(() => proxy(request), { fallback: cached, clock });
}
