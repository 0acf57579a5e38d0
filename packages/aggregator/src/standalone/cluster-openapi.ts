import type { Clock } from '@tributary/client';
import type { Logger } from '@tributary/server';
import {
  jsonForm,
  type LocalDocuments,
  type Published,
  protobufFormV2,
} from '@tributary/server/openapi';
import { byteBudget } from '../openapi/byte-budget.ts';
import { type Fetched, fetchDocument } from '../openapi/fetch-document.ts';
import type { Cluster } from './cluster.ts';
import { type IndexPaths, readIndex } from './openapi-index.ts';

export interface ClusterOpenApiOptions {
  readonly cluster: Cluster;
  /** Of what is served here; they stand in where the cluster has none, or has never been reached. */
  readonly own: LocalDocuments;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The last known documents of the cluster, fetched on the first read. */
export interface ClusterOpenApi {
  /** The same object for as long as they are the same. Asking also has the cluster asked again, after a while. */
  documents(): LocalDocuments;
  /** Undefined: the cluster has no documents of version 3, or never gave its index. */
  indexV3(): Promise<IndexPaths | undefined>;
  close(): Promise<void>;
}

const V2_BYTES_MAX = 64 * 1024 * 1024;
const V2_OLD_MS = 10_000;
const INDEX_BYTES_MAX = 4 * 1024 * 1024;
const INDEX_OLD_MS = 2_000;
/** Both forms of the largest. */
const READING_BYTES_MAX = 2 * V2_BYTES_MAX;

const JSON_TYPE = 'application/json';
const PROTOBUF_V2 = protobufFormV2(new Uint8Array()).contentType;

export function watchClusterOpenApi(options: ClusterOpenApiOptions): ClusterOpenApi {
  const { cluster, own, clock, log } = options;
  const closing = new AbortController();
  const budget = byteBudget(READING_BYTES_MAX);
  const fetch = <T>(
    question: { path: string; accept: string; bytesMax: number; etag: string | undefined },
    use: (fetched: Fetched) => Promise<T>,
  ): Promise<T> => {
    const { signal } = closing;
    return fetchDocument(cluster, { ...question, budget, clock, signal }, use);
  };

  const askV2 = async (known: KnownV2 | undefined): Promise<KnownV2 | undefined> => {
    const question = { path: '/openapi/v2', bytesMax: V2_BYTES_MAX };
    return fetch({ ...question, accept: JSON_TYPE, etag: known?.etag }, async (fetched) => {
      if (fetched.kind !== 'document') return known;
      if (fetched.hash === known?.published.hash) return known;
      const { bytes, hash, etag } = fetched;
      // A copy in the form that older clients ask for; both have one tag.
      const protobuf = await fetch(
        { ...question, accept: PROTOBUF_V2, etag: undefined },
        async (other) =>
          other.kind === 'document' && other.contentType === PROTOBUF_V2 && other.etag === etag
            ? [protobufFormV2(other.bytes)]
            : [],
      );
      const forms = [jsonForm(bytes), ...protobuf] as const;
      return { etag, published: { hash, modifiedMs: clock.nowMs(), forms } };
    });
  };
  const askIndex = async (known: IndexPaths | undefined): Promise<IndexPaths | undefined> => {
    const question = { path: '/openapi/v3', accept: JSON_TYPE, bytesMax: INDEX_BYTES_MAX };
    return fetch({ ...question, etag: undefined }, async (fetched) => {
      if (fetched.kind === 'missing') return undefined;
      return fetched.kind === 'document' ? readIndex(fetched.bytes) : known;
    });
  };
  const reported = (error: unknown): void => {
    if (!closing.signal.aborted)
      log.error(error, 'Fetching OpenAPI documents of the cluster failed');
  };
  const v2 = refreshed(askV2, { clock, oldMs: V2_OLD_MS, reported });
  const index = refreshed(askIndex, { clock, oldMs: INDEX_OLD_MS, reported });

  /** By what the cluster last gave; undefined while that is nothing. */
  let made: { readonly of: KnownV2 | undefined; readonly documents: LocalDocuments } | undefined;
  const documents = (): LocalDocuments => {
    const known = v2.current();
    if (made !== undefined && made.of === known) return made.documents;
    const published = async (): Promise<Published> =>
      (known ?? (await v2.first()))?.published ?? own.v2();
    made = { of: known, documents: { v2: published, v3: own.v3 } };
    return made.documents;
  };
  return {
    documents,
    indexV3: async () => index.current() ?? (await index.first()),
    async close() {
      closing.abort(new Error('the aggregator is stopping'));
      await Promise.all([v2.close(), index.close()]);
    },
  };
}

interface KnownV2 {
  readonly etag: string | undefined;
  readonly published: Published;
}

interface Refreshed<T> {
  /** The last known documents. When they are old, they are fetched again without a wait. */
  current(): T | undefined;
  /** Waits for the question that is under way. */
  first(): Promise<T | undefined>;
  close(): Promise<void>;
}

function refreshed<T>(
  ask: (known: T | undefined) => Promise<T | undefined>,
  { clock, oldMs, reported }: { clock: Clock; oldMs: number; reported: (error: unknown) => void },
): Refreshed<T> {
  let known: T | undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const askNow = async (): Promise<void> => {
    try {
      known = await ask(known);
    } catch (error) {
      reported(error);
    }
    askedMs = clock.nowMs();
    asking = undefined;
  };
  const askWhenOld = (): void => {
    if (clock.nowMs() - askedMs >= oldMs) asking ??= askNow();
  };
  return {
    current() {
      askWhenOld();
      return known;
    },
    async first() {
      askWhenOld();
      await asking;
      return known;
    },
    close: async () => asking,
  };
}
