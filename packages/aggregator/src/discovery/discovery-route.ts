import {
  answerPage,
  indexAnswer,
  isIndex,
  type Route,
  withoutTrailingSlashes,
} from '@tributary/server/parts';
import type { Availability } from '../availability/availability.ts';
import type { RegistrationSnapshot } from '../registrations/registrations.ts';
import type { DiscoveryPages } from './discovery-pages.ts';
import type { RemoteVersions } from './remote-versions.ts';

export interface DiscoveryRouteOptions {
  readonly pages: () => DiscoveryPages;
  readonly index: () => Uint8Array;
  readonly registrations: { readonly current: RegistrationSnapshot };
  readonly availability: Pick<Availability, 'refusal'>;
  readonly remote: Pick<RemoteVersions, 'get'>;
}

const ROOT = '/apis';

/** `/apis`, `/apis/G`, the index, and `/apis/G/V` in place of a server that cannot be asked; nothing of it waits. */
export function discoveryRoute(options: DiscoveryRouteOptions): Route {
  return (request) => {
    const { path, info } = request;
    if (info.isResourceRequest) return undefined; // nearly all requests
    if (isIndex(path)) return indexAnswer(options.index());
    if (!path.startsWith(ROOT)) return undefined;
    const trimmed = withoutTrailingSlashes(path);
    if (trimmed === ROOT) return answerPage(options.pages().root, request);
    const [prefix, , group = '', version, ...rest] = trimmed.split('/', 5);
    if (prefix !== '' || !trimmed.startsWith(`${ROOT}/`) || rest.length > 0) return undefined;
    if (version === undefined) {
      const page = options.pages().groups.get(group);
      return page && answerPage(page, request);
    }
    if (request.method !== 'GET') return undefined;
    const page = pageInPlaceOf(options, group, version);
    return page && answerPage(page, request);
  };
}

/** The last good list of a server to which nothing is sent at present, as long as it counts as current. */
function pageInPlaceOf(
  { registrations, availability, remote }: DiscoveryRouteOptions,
  group: string,
  version: string,
) {
  const registration = registrations.current.byGroupVersion(group, version);
  if (registration?.remote === undefined) return undefined;
  if (availability.refusal(registration.name) === undefined) return undefined;
  const known = remote.get(registration.name);
  return known?.freshness === 'Current' ? known.document?.page() : undefined;
}
