import { noSuchResource } from '@tributary/apimachinery';
import type { ApiDefinition } from '../definition/api.ts';
import { groupVersionPath, servedVersions } from '../definition/served-versions.ts';
import type { ApiRequest, ApiResponse } from '../request/pipeline.ts';
import type { AggregatedVersion } from './aggregated.ts';
import { AggregatedPages } from './aggregated-pages.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { answerPage, type DiscoveryPage, plainPage, withoutTrailingSlashes } from './page.ts';
import { type Representations, represent } from './representation.ts';

export interface DiscoveryOptions {
  /**
   * `host:port` for clients anywhere, asked for with every request, because a port may be known only when it is
   * open; left out of the documents while it is undefined.
   */
  readonly serverAddress?: () => string | undefined;
  /** Which versions of the aggregated document are recognised. Default: both. */
  readonly aggregatedVersions?: readonly AggregatedVersion[];
  /** Whether it lists groups as one that puts together those of others. Default: no. */
  readonly isAggregator?: boolean;
}

/**
 * Answers `/api`, `/apis`, `/apis/G` and `/apis/G/V` from documents about what is served now. The answer is undefined for
 * any other path, and so it is for `/api` when no core group is served: upstream's extension servers have no such path
 * either.
 *
 * Documents are made when they are asked for and kept until their group changes; those about everything are put together
 * from pieces about each group. So nobody is ever told what is no longer true, a change costs nothing until somebody
 * asks, and then no more than its own group and a copy of the rest: about two milliseconds with 500 groups.
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
    return page && answerPage(page, request);
  };
}

/** The documents about everything, each made when it is first asked for, and the groups by their paths. */
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

/** A document with the server's address in it, made again only when the address has changed. */
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
