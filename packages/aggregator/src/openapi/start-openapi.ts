import { noSuchResource } from '@tributary/apimachinery';
import { type Clock, unlessAborted } from '@tributary/client';
import type { Backends } from '@tributary/proxy';
import type { ApiDefinition, ApiRequest, ApiResponse, Logger } from '@tributary/server';
import {
  type DocumentsV3,
  type LocalDocuments,
  lazyDocuments,
  liveDocuments,
  serveIndexV3,
  serveV2,
  serveV3,
} from '@tributary/server/openapi';
import type { MetricsRegistry } from '@tributary/server/operations';
import type { Route } from '@tributary/server/routing';
import { patchTypes } from '@tributary/server/verbs';
import type { Availability } from '../availability/availability.ts';
import type { DocumentStore } from '../document-store/document-store.ts';
import type { Registrations } from '../registrations/registrations.ts';
import { byteBudget } from './byte-budget.ts';
import { type DocumentThread, documentThread } from './document-thread.ts';
import { forwardDocument } from './forward-document.ts';
import { mergedV2 } from './merged-v2.ts';
import { openApiMetrics } from './openapi-metrics.ts';
import { byPriority } from './ordered-servers.ts';
import { type Change, pollServers } from './poll-servers.ts';
import { type IndexedV3, indexAll } from './served-v3.ts';

export interface OpenApiOptions {
  readonly registrations: Registrations;
  readonly backends: Pick<Backends, 'of'>;
  readonly availability: Availability;
  readonly documents: DocumentStore;
  /** Local APIs. The same list until it changes. */
  readonly localApis: () => readonly ApiDefinition[];
  /** Replaces documents made of `localApis`: the same object until they change. */
  readonly localDocuments?: (() => LocalDocuments) | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  /** For the documents of all backends. */
  readonly cachedBytesMax?: number;
  /** Closed with the rest. Default: a thread on `clock`. */
  readonly thread?: DocumentThread;
  /** Called after every round of requests to a server, when the next one is scheduled. */
  readonly onAsked?: (name: string) => void;
}

export interface RunningOpenApi {
  /** Serves everything at and below `/openapi/v2` and `/openapi/v3`. */
  readonly route: Route;
  registerMetrics(registry: MetricsRegistry): void;
  /** Idempotent. */
  close(): Promise<void>;
}

const CACHED_BYTES_MAX = 256 * 1024 * 1024;
/** Four of the largest at once; other fetches are retried. */
const READING_BYTES_MAX = 128 * 1024 * 1024;

/** The OpenAPI documents of this process and of all backends, from memory. */
export function startOpenApi(options: OpenApiOptions): RunningOpenApi {
  const { registrations, backends, availability, clock, log } = options;
  const { thread = documentThread(clock) } = options;
  const metrics = openApiMetrics();
  const local = localDocuments(options, () => merged.changed());
  let isIndexed = false;
  let isRecalled = false;

  const changed = (name: string, change: Change): void => {
    isIndexed = false;
    metrics.changed(name, change);
    if (change !== 'v3') merged.changed();
  };

  const ordered = () => {
    const order = byPriority(registrations.current.all);
    return [...servers.all()].sort((one, other) => order(one.registration, other.registration));
  };

  const merged = mergedV2({
    local: () => local().v2(),
    parts: () =>
      ordered().flatMap(({ registration, known }) =>
        known.v2 === undefined ? [] : [{ name: registration.name, part: known.v2.part }],
      ),
    thread,
    clock,
    log,
    merged: metrics.merged,
  });
  const servers = pollServers({
    ...options,
    thread,
    reading: byteBudget(READING_BYTES_MAX),
    keeping: byteBudget(options.cachedBytesMax ?? CACHED_BYTES_MAX),
    changed,
  });

  let indexed: { readonly local: DocumentsV3; readonly all: IndexedV3 } | undefined;
  const indexV3 = async (): Promise<IndexedV3> => {
    const documents = await local().v3();
    // Synchronous from here: later changes are part of the next index.
    if (isIndexed && indexed?.local === documents) return indexed.all;
    isIndexed = true;
    indexed = { local: documents, all: indexAll(documents, ordered(), clock.nowMs()) };
    return indexed.all;
  };

  const respondV3 = async (request: ApiRequest): Promise<ApiResponse> => {
    await servers.recalled;
    const all = await indexV3();
    if (request.path === '/openapi/v3') return serveIndexV3(request, all.index);
    const key = request.path.slice('/openapi/v3/'.length);
    const served = all.of(key);
    if (served === undefined) throw noSuchResource();
    if (served.kind === 'proxied')
      return forwardDocument(request, served.server, { backends, availability });
    return serveV3(request, { key, document: served.document, nowMs: clock.nowMs() });
  };

  const respondV2 = (request: ApiRequest): ApiResponse | Promise<ApiResponse> => {
    if (!isRecalled) return servers.recalled.then(() => respondV2(request));
    local(); // checks for a change of the local APIs
    const document = merged.current();
    if (!(document instanceof Promise)) return serveV2(request, document);
    return unlessAborted(document, request.cancellation.signal).then((made) =>
      serveV2(request, made),
    );
  };

  void servers.recalled.then(() => {
    isRecalled = true;
  });
  return {
    route(request) {
      const { path } = request;
      if (path === '/openapi/v2') return respondV2(request);
      if (path === '/openapi/v3' || path.startsWith('/openapi/v3/')) return respondV3(request);
      return undefined;
    },
    registerMetrics: metrics.register,
    async close() {
      // Concurrently: each waits for something that another one ends.
      await Promise.all([servers.close(), merged.close(), thread.close()]);
    },
  };
}

/**
 * Documents of local APIs. Version 3 changes by itself, group by group; version 2 is made again in the background, when
 * it is merged.
 */
function localDocuments(
  { localApis, localDocuments: given, clock }: OpenApiOptions,
  onChange: () => void,
): () => LocalDocuments {
  if (given !== undefined) return notifyOnChange(given, onChange);
  const { v3 } = liveDocuments(localApis, { patchTypes, clock });
  let known: { readonly apis: readonly ApiDefinition[]; readonly made: LocalDocuments } | undefined;
  return () => {
    const apis = localApis();
    if (known?.apis === apis) return known.made;
    const isFirst = known === undefined;
    const { v2 } = lazyDocuments(apis, { patchTypes, modifiedMs: clock.nowMs() });
    known = { apis, made: { v2, v3 } };
    if (!isFirst) onChange();
    return known.made;
  };
}

function notifyOnChange(given: () => LocalDocuments, onChange: () => void): () => LocalDocuments {
  let known: LocalDocuments | undefined;
  return () => {
    const documents = given();
    const isOther = known !== undefined && known !== documents;
    known = documents;
    if (isOther) onChange();
    return documents;
  };
}
