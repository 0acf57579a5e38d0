import { noSuchResource } from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import { groupVersionPath, servedVersions } from '../definition/served-versions.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { AggregatedVersion } from './aggregated.ts';
import { AggregatedPages } from './aggregated-pages.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { type DiscoveryPage, plainPage, servePage, withoutTrailingSlashes } from './page.ts';
import { type Representations, represent } from './representation.ts';

export interface DiscoveryOptions {
  /**
   * `host:port` for clients outside, evaluated per request, because a port may be known only once it is open; omitted
   * from the documents while it is undefined.
   */
  readonly serverAddress?: () => string | undefined;
  /** Versions of the aggregated document that are served. Default: both. */
  readonly aggregatedVersions?: readonly AggregatedVersion[];
  /** Whether it lists groups as an aggregator does. Default: no. */
  readonly isAggregator?: boolean;
}

/**
 * Serves `/api`, `/apis`, `/apis/G` and `/apis/G/V` for the resources that are served now. Returns undefined for any
 * other path, and for `/api` without a core group, as upstream's extension API servers. Documents are built at first
 * use and cached until their group changes; those of all groups are joined from parts per group. So no response is
 * outdated, a change costs nothing until the next request, and then only its own group and a copy of the rest: about
 * two milliseconds with 500 groups.
 */
export function discoveryHandler(
  apis: readonly ApiDefinition[] | (() => readonly ApiDefinition[]),
  options: DiscoveryOptions = {},
): (request: ApiRequest) => ApiResponse | undefined {
  const now = typeof apis === 'function' ? apis : () => apis;
  const groupPages = new WeakMap<ApiDefinition, ReadonlyMap<string, DiscoveryPage>>();
  let known: { readonly apis: readonly ApiDefinition[]; readonly pages: Pages } | undefined;
  const pagesNow = (): Pages => {
    const current = now();
    if (known?.apis !== current) known = { apis: current, pages: makePages(current, options) };
    return known.pages;
  };
  const pageAt = (path: string): DiscoveryPage | undefined => {
    const { roots, groups } = pagesNow();
    const root = roots.get(path)?.();
    if (root !== undefined) return root;
    const api = groups.get(path) ?? groups.get(path.slice(0, path.lastIndexOf('/')));
    if (api === undefined) return undefined;
    const pages = groupPages.get(api) ?? pagesOf(api);
    groupPages.set(api, pages);
    const page = pages.get(path);
    // A version that a served group does not have.
    if (page === undefined) throw noSuchResource();
    return page;
  };
  return (request) => {
    const page = pageAt(withoutTrailingSlashes(request.path));
    return page && servePage(page, request);
  };
}

/** The documents of all groups, each built at first use, and the groups by their paths. */
interface Pages {
  readonly roots: ReadonlyMap<string, () => DiscoveryPage>;
  readonly groups: ReadonlyMap<string, ApiDefinition>;
}

function makePages(apis: readonly ApiDefinition[], options: DiscoveryOptions): Pages {
  const named = apis.filter(({ group }) => group !== '');
  const core = apis.find(({ group }) => group === '');
  const roots = new Map<string, () => DiscoveryPage>();
  roots.set(
    '/apis',
    rootPage(options, named, (address) => apiGroupList(named, address, options)),
  );
  if (core !== undefined) {
    roots.set(
      '/api',
      rootPage(options, [core], (address) => apiVersions(core, address)),
    );
  }
  return { roots, groups: new Map(apis.map((api) => [groupPath(api), api])) };
}

function pagesOf(api: ApiDefinition): ReadonlyMap<string, DiscoveryPage> {
  const pages = new Map<string, DiscoveryPage>();
  if (api.group !== '') pages.set(groupPath(api), plainPage(represent(apiGroup(api))));
  for (const version of api.versions) {
    const list = apiResourceList(api, version, servedVersions(api, version));
    pages.set(groupVersionPath(api, version), plainPage(represent(list)));
  }
  return pages;
}

function rootPage(
  options: DiscoveryOptions,
  apis: readonly ApiDefinition[],
  legacy: (serverAddress: string | undefined) => object,
): () => DiscoveryPage {
  let made: DiscoveryPage | undefined;
  return () => {
    made ??= {
      legacy: madeOnce(options.serverAddress ?? (() => undefined), legacy),
      aggregated: new AggregatedPages(apis, options),
    };
    return made;
  };
}

/** A document that contains the server's address, built again only when the address has changed. */
function madeOnce(
  serverAddress: () => string | undefined,
  make: (serverAddress: string | undefined) => object,
): () => Representations {
  let made: { readonly address: string | undefined; readonly is: Representations } | undefined;
  return () => {
    const address = serverAddress();
    if (made?.address !== address || made === undefined) {
      made = { address, is: represent(make(address)) };
    }
    return made.is;
  };
}

function groupPath({ group }: ApiDefinition): string {
  return group === '' ? '/api' : `/apis/${group}`;
}
