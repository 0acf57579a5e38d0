import { noSuchResource } from '@tributary/apimachinery';
import type { ApiDefinition } from '../api.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { type AggregatedVersion, apiGroupDiscoveryList } from './aggregated.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import {
  type AggregatedPage,
  aggregatedPage,
  answerPage,
  type DiscoveryPage,
  plainPage,
  withoutTrailingSlashes,
} from './page.ts';
import { type Representations, represent } from './representation.ts';
import { groupVersionPath, servedVersions } from './served.ts';

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
 * Answers `/api`, `/apis`, `/apis/G` and `/apis/G/V` from documents made here, once. The answer is undefined for
 * any other path, and so it is for `/api` when no core group is served: upstream's extension servers have no
 * such path either.
 */
export function discoveryHandler(
  apis: readonly ApiDefinition[],
  options: DiscoveryOptions = {},
): (request: ApiRequest) => ApiResponse | undefined {
  const pages = buildPages(apis, options);
  const prefixes = new Set(apis.map(groupPath));
  return (request) => {
    const path = withoutTrailingSlashes(request.path);
    const page = pages.get(path);
    if (page !== undefined) return answerPage(page, request);
    if (isVersionOf(prefixes, path)) throw noSuchResource();
    return undefined;
  };
}

function buildPages(
  apis: readonly ApiDefinition[],
  options: DiscoveryOptions,
): ReadonlyMap<string, DiscoveryPage> {
  const named = apis.filter(({ group }) => group !== '');
  const core = apis.find(({ group }) => group === '');
  const pages = new Map<string, DiscoveryPage>();
  pages.set(
    '/apis',
    rootPage(options, named, (address) => apiGroupList(named, address, options)),
  );
  if (core)
    pages.set(
      '/api',
      rootPage(options, [core], (address) => apiVersions(core, address)),
    );
  for (const api of named) pages.set(groupPath(api), plainPage(represent(apiGroup(api))));
  for (const api of apis) {
    for (const version of api.versions) {
      const list = apiResourceList(api, version, servedVersions(api, version));
      pages.set(groupVersionPath(api, version), plainPage(represent(list)));
    }
  }
  return pages;
}

function rootPage(
  options: DiscoveryOptions,
  apis: readonly ApiDefinition[],
  legacy: (serverAddress: string | undefined) => object,
): DiscoveryPage {
  const aggregated = new Map<string, AggregatedPage>();
  for (const version of options.aggregatedVersions ?? (['v2', 'v2beta1'] as const)) {
    const list = apiGroupDiscoveryList(apis, version, options);
    aggregated.set(version, aggregatedPage(Buffer.from(JSON.stringify(list))));
  }
  return { legacy: madeOnce(options.serverAddress ?? (() => undefined), legacy), aggregated };
}

/** A document with the server's address in it, made again only when the address has changed. */
function madeOnce(
  serverAddress: () => string | undefined,
  make: (serverAddress: string | undefined) => object,
): () => Representations {
  let address = serverAddress();
  let representations = represent(make(address));
  return () => {
    const current = serverAddress();
    if (current !== address) {
      address = current;
      representations = represent(make(address));
    }
    return representations;
  };
}

function groupPath({ group }: ApiDefinition): string {
  return group === '' ? '/api' : `/apis/${group}`;
}

/** Whether the path is a version that a served group does not have. */
function isVersionOf(groupPaths: ReadonlySet<string>, path: string): boolean {
  const slash = path.lastIndexOf('/');
  return groupPaths.has(path.slice(0, slash));
}
