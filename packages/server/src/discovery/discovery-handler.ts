import { methodNotAllowed, noSuchResource } from '@tributary/apimachinery';
import type { ApiDefinition } from '../api.ts';
import { negotiate, type ObjectMediaType, objectMediaTypes, parseAccept } from '../negotiation.ts';
import type { ApiRequest, ApiResponse } from '../pipeline.ts';
import { type AggregatedVersion, apiGroupDiscoveryList } from './aggregated.ts';
import { contentHash, entityTag } from './entity-tag.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { chosenBytes, type Representations, represent } from './representation.ts';
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

/** What one path answers; only the two roots have an aggregated form. */
interface Page {
  readonly legacy: () => Representations;
  readonly aggregated: ReadonlyMap<string, AggregatedPage>;
}

interface AggregatedPage {
  readonly representations: Representations;
  readonly tag: string;
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
    if (page === undefined) {
      if (isVersionOf(prefixes, path)) throw noSuchResource();
      return undefined;
    }
    if (request.method !== 'GET') throw methodNotAllowed();
    return aggregatedAnswer(page, request) ?? legacyAnswer(page, request);
  };
}

function buildPages(
  apis: readonly ApiDefinition[],
  options: DiscoveryOptions,
): ReadonlyMap<string, Page> {
  const named = apis.filter(({ group }) => group !== '');
  const core = apis.find(({ group }) => group === '');
  const pages = new Map<string, Page>();
  pages.set(
    '/apis',
    rootPage(options, named, (address) => apiGroupList(named, address, options)),
  );
  if (core)
    pages.set(
      '/api',
      rootPage(options, [core], (address) => apiVersions(core, address)),
    );
  for (const api of named) pages.set(groupPath(api), legacyPage(apiGroup(api)));
  for (const api of apis) {
    for (const version of api.versions) {
      const list = apiResourceList(api, version, servedVersions(api, version));
      pages.set(groupVersionPath(api, version), legacyPage(list));
    }
  }
  return pages;
}

function rootPage(
  options: DiscoveryOptions,
  apis: readonly ApiDefinition[],
  legacy: (serverAddress: string | undefined) => object,
): Page {
  const aggregated = new Map<string, AggregatedPage>();
  for (const version of options.aggregatedVersions ?? (['v2', 'v2beta1'] as const)) {
    const list = apiGroupDiscoveryList(apis, version, options);
    aggregated.set(version, {
      representations: represent(list),
      tag: entityTag(contentHash(Buffer.from(JSON.stringify(list)))),
    });
  }
  return { legacy: madeOnce(options.serverAddress ?? (() => undefined), legacy), aggregated };
}

function legacyPage(document: object): Page {
  const representations = represent(document);
  return { legacy: () => representations, aggregated: new Map() };
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

/** A loop, because a regular expression looks at a long run of slashes once per slash. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function groupPath({ group }: ApiDefinition): string {
  return group === '' ? '/api' : `/apis/${group}`;
}

/** Whether the path is a version that a served group does not have. */
function isVersionOf(groupPaths: ReadonlySet<string>, path: string): boolean {
  const slash = path.lastIndexOf('/');
  return groupPaths.has(path.slice(0, slash));
}

/** Any clause that asks for an aggregated document wins over plain ones, also over earlier ones. */
function aggregatedAnswer({ aggregated }: Page, request: ApiRequest): ApiResponse | undefined {
  if (aggregated.size === 0) return undefined;
  for (const { mediaType, parameters } of parseAccept(request.headers.all('accept').join(','))) {
    const type = offeredType(mediaType);
    const version = aggregatedVersion(parameters);
    const page = aggregated.get(version);
    if (type === undefined || page === undefined) continue;
    const headers = [
      ['ETag', page.tag],
      ['Vary', 'Accept'],
      ['Cache-Control', 'public'],
    ] as const;
    const contentType = `${type};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    // Upstream compares the whole header here: no lists, no weak tags, no wildcard.
    if (request.headers.get('if-none-match') === page.tag) {
      return { kind: 'bytes', code: 304, contentType, chunks: [], headers };
    }
    const chunks = [chosenBytes(page.representations, type, request)];
    return { kind: 'bytes', code: 200, contentType, chunks, headers };
  }
  return undefined;
}

function aggregatedVersion(parameters: ReadonlyMap<string, string>): string {
  const asked =
    parameters.get('g') === 'apidiscovery.k8s.io' &&
    parameters.get('as') === 'APIGroupDiscoveryList';
  return asked ? (parameters.get('v') ?? '') : '';
}

function offeredType(mediaType: string): ObjectMediaType | undefined {
  if (mediaType === '*/*' || mediaType === 'application/*') return objectMediaTypes[0];
  return objectMediaTypes.find((type) => type === mediaType);
}

function legacyAnswer({ legacy }: Page, request: ApiRequest): ApiResponse {
  const contentType = negotiate(request.headers.all('accept'));
  const chunks = [chosenBytes(legacy(), contentType, request)];
  return { kind: 'bytes', code: 200, contentType, chunks };
}
