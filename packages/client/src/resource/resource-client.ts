import {
  type KubeList,
  type KubeObject,
  type ObjectMeta,
  parseJson,
  type Status,
  StatusError,
  stringifyJson,
} from '@tributary/apimachinery';
import type { RequestOptions, Transport, TransportResponse } from '../transport/transport.ts';
import { type ResourceType, resourcePath } from './resource-path.ts';
import { EVENT_BYTES_MAX, type WatchEvent, watchEvents } from './watch-events.ts';

/** Requests for one resource, in one namespace or in all of them. */
export interface ResourceClient<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  /** Undefined for all namespaces, and for cluster-scoped resources. */
  readonly namespace: string | undefined;
  /** The same resource in one namespace. */
  in(namespace: string): ResourceClient<T>;
  get(name: string, options?: GetOptions): Promise<T>;
  /** One page. */
  list(options?: ListOptions): Promise<KubeList<T>>;
  /** All pages. When the list expires between two pages, it is requested again without a limit. */
  listAll(options?: ListAllOptions): Promise<KubeList<T>>;
  /** The server chooses the name when `metadata.generateName` is set. */
  create(object: NewObject<T>, options?: WriteOptions): Promise<T>;
  update(object: T, options?: WriteOptions): Promise<T>;
  patch(name: string, patch: Patch, options?: WriteOptions): Promise<T>;
  /** The object while its finalizers run, otherwise a Status. */
  delete(name: string, options?: DeleteOptions): Promise<T | Status>;
  deleteCollection(options?: DeleteOptions & Selection): Promise<KubeList<T> | Status>;
  /**
   * Starts at the first read, and ends when the server ends it. An `ERROR` event is thrown as `StatusError`. Leaving
   * the loop closes it.
   */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent<T>, void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly retriesMax?: number;
  /** A longer response is an error; of a list, each page. */
  readonly responseBytesMax?: number;
}

export interface Selection {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface GetOptions extends CallOptions {
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

export interface ListOptions extends CallOptions, Selection {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly timeoutSeconds?: number;
}

export interface ListAllOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /** Default 500; 0 requests everything at once. */
  readonly pageSize?: number;
}

export interface WatchOptions extends CallOptions, Selection {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
  readonly timeoutSeconds?: number;
  /** A longer event ends the watch. */
  readonly eventBytesMax?: number;
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly dryRun?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export type Patch =
  | { readonly kind: 'merge' | 'strategic'; readonly body: unknown }
  | { readonly kind: 'json'; readonly operations: readonly unknown[] }
  /** Server-side apply; the options must name a `fieldManager`. `force` takes fields from other managers. */
  | { readonly kind: 'apply'; readonly object: unknown; readonly force?: boolean };

/** `apiVersion` and `kind` may be omitted where the server knows them from the path. */
export type NewObject<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
};

export function resource<T extends KubeObject = KubeObject>(
  transport: Transport,
  type: ResourceType,
  namespace?: string,
): ResourceClient<T> {
  return new HttpResourceClient<T>(transport, type, namespace);
}

/**
 * The same resource with the metadata of objects alone; a server without support sends whole objects. Their `kind` is
 * not reliable. Writes send whole objects.
 */
export function metadataResource(
  transport: Transport,
  type: ResourceType,
  namespace?: string,
): ResourceClient {
  return new HttpResourceClient(transport, type, namespace, METADATA_ONLY);
}

/** The `Accept` header. Undefined leaves the choice to the server. */
interface Accepted {
  readonly object: string;
  readonly list: string;
}

const METADATA_ONLY: Accepted = {
  object: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
};

/** The size that client-go uses, which servers are tuned for. */
const PAGE_SIZE = 500;
const JSON_TYPE = 'application/json';

class HttpResourceClient<T extends KubeObject> implements ResourceClient<T> {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly #transport: Transport;
  readonly #accepted: Accepted | undefined;

  constructor(
    transport: Transport,
    type: ResourceType,
    namespace: string | undefined,
    accepted?: Accepted,
  ) {
    if (namespace !== undefined && !type.namespaced) {
      throw new TypeError(`${type.plural} have no namespaces`);
    }
    this.#transport = transport;
    this.type = type;
    this.namespace = namespace;
    this.#accepted = accepted;
  }

  in(namespace: string): ResourceClient<T> {
    return new HttpResourceClient<T>(this.#transport, this.type, namespace, this.#accepted);
  }

  async get(name: string, options: GetOptions = {}): Promise<T> {
    const path = this.#objectPath({ name, subresource: options.subresource });
    return this.#object('GET', path, {
      ...call(options),
      query: { resourceVersion: options.resourceVersion },
    });
  }

  async list(options: ListOptions = {}): Promise<KubeList<T>> {
    const path = this.#collectionPath();
    const query = {
      ...selection(options),
      limit: options.limit,
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      timeoutSeconds: options.timeoutSeconds,
    };
    const request = withAccept({ ...call(options), query }, this.#accepted?.list);
    const response = await this.#transport.request('GET', path, request);
    return decodeList<T>(response, path);
  }

  async listAll(options: ListAllOptions = {}): Promise<KubeList<T>> {
    const { pageSize = PAGE_SIZE, resourceVersion, resourceVersionMatch, ...rest } = options;
    const start = {
      ...rest,
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(resourceVersionMatch !== undefined && { resourceVersionMatch }),
    };
    const first = await this.list({ ...start, ...(pageSize > 0 && { limit: pageSize }) });
    try {
      // The token contains the revision; a version next to it is an error.
      return await this.#remainingPages(first, { ...rest, limit: pageSize });
    } catch (error) {
      if (!isExpired(error)) throw error;
      return this.list(start);
    }
  }

  async create(object: NewObject<T>, options: WriteOptions = {}): Promise<T> {
    const { name, namespace } = object.metadata;
    const { subresource } = options;
    const path = this.#objectPath({ ...(subresource && { name, subresource }), namespace });
    return this.#object('POST', path, this.#write(object, JSON_TYPE, options));
  }

  async update(object: T, options: WriteOptions = {}): Promise<T> {
    const { name = '', namespace } = object.metadata;
    const path = this.#objectPath({ name, namespace, subresource: options.subresource });
    return this.#object('PUT', path, this.#write(object, JSON_TYPE, options));
  }

  async patch(name: string, patch: Patch, options: WriteOptions = {}): Promise<T> {
    const path = this.#objectPath({ name, subresource: options.subresource });
    const { contentType, body, force } = encodePatch(patch);
    const { query, ...request } = this.#write(body, contentType, options);
    return this.#object('PATCH', path, { ...request, query: { ...query, force } });
  }

  async delete(name: string, options: DeleteOptions = {}): Promise<T | Status> {
    const request = withAccept(
      { ...call(options), ...deleteBody(options) },
      this.#accepted?.object,
    );
    return decode<T | Status>(
      await this.#transport.request('DELETE', this.#objectPath({ name }), request),
      this.#objectPath({ name }),
    );
  }

  async deleteCollection(options: DeleteOptions & Selection = {}): Promise<KubeList<T> | Status> {
    const path = this.#collectionPath();
    const request = { ...call(options), ...deleteBody(options), query: selection(options) };
    return decode(await this.#transport.request('DELETE', path, request), path);
  }

  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>, void> {
    const path = this.#collectionPath();
    await using stream = await this.#transport.stream('GET', path, {
      ...call(options),
      ...(this.#accepted && { headers: { accept: this.#accepted.object } }),
      query: {
        watch: true,
        ...selection(options),
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.resourceVersionMatch,
        allowWatchBookmarks: options.allowWatchBookmarks,
        sendInitialEvents: options.sendInitialEvents,
        timeoutSeconds: options.timeoutSeconds,
      },
    });
    requireJson(stream, `GET ${path}`);
    yield* watchEvents<T>(stream.body, {
      subject: `watch of ${path}`,
      eventBytesMax: options.eventBytesMax ?? EVENT_BYTES_MAX,
    });
  }

  async #remainingPages(
    first: KubeList<T>,
    options: Omit<ListOptions, 'continue'>,
  ): Promise<KubeList<T>> {
    const items = [...first.items];
    let token = first.metadata.continue ?? '';
    const seen = new Set<string>();
    while (token !== '') {
      if (seen.has(token)) {
        throw new Error(`GET ${this.#collectionPath()}: the pages of the list go round in circles`);
      }
      seen.add(token);
      const page = await this.list({ ...options, continue: token });
      for (const item of page.items) items.push(item);
      token = page.metadata.continue ?? '';
    }
    const { resourceVersion } = first.metadata;
    return {
      ...first,
      metadata: { ...(resourceVersion !== undefined && { resourceVersion }) },
      items,
    };
  }

  #collectionPath(): string {
    return resourcePath(this.type, { namespace: this.namespace });
  }

  /** The namespace of the object is used when this client has none. */
  #objectPath(location: {
    name?: string | undefined;
    namespace?: string | undefined;
    subresource?: string | undefined;
  }): string {
    const namespace = this.type.namespaced ? (this.namespace ?? location.namespace) : undefined;
    if (this.type.namespaced && namespace === undefined) {
      throw new TypeError(`say in which namespace: ${this.type.plural} are namespaced`);
    }
    return resourcePath(this.type, { ...location, namespace });
  }

  async #object(method: string, path: string, options: RequestOptions): Promise<T> {
    const request = withAccept(options, this.#accepted?.object);
    return decode<T>(await this.#transport.request(method, path, request), path);
  }

  #write(body: unknown, contentType: string, options: WriteOptions): RequestOptions {
    return {
      ...call(options),
      headers: { 'content-type': contentType },
      body: stringifyJson(body),
      query: {
        fieldManager: options.fieldManager,
        fieldValidation: options.fieldValidation,
        dryRun: options.dryRun === true ? 'All' : undefined,
      },
    };
  }
}

/** The list or the watch requested a version that the server has compacted. */
export function isExpired(error: unknown): boolean {
  // Servers before 1.18 use Gone.
  return error instanceof StatusError && (error.reason === 'Expired' || error.reason === 'Gone');
}

function call({
  signal,
  retriesMax,
  responseBytesMax,
}: CallOptions): Pick<RequestOptions, keyof CallOptions> {
  return {
    ...(signal !== undefined && { signal }),
    ...(retriesMax !== undefined && { retriesMax }),
    ...(responseBytesMax !== undefined && { responseBytesMax }),
  };
}

function withAccept(options: RequestOptions, accept: string | undefined): RequestOptions {
  return accept === undefined ? options : { ...options, headers: { ...options.headers, accept } };
}

function selection({
  labelSelector,
  fieldSelector,
}: Selection): Record<string, string | undefined> {
  return { labelSelector, fieldSelector };
}

function encodePatch(patch: Patch): {
  contentType: string;
  body: unknown;
  force: boolean | undefined;
} {
  switch (patch.kind) {
    case 'merge':
      return { contentType: 'application/merge-patch+json', body: patch.body, force: undefined };
    case 'strategic':
      return {
        contentType: 'application/strategic-merge-patch+json',
        body: patch.body,
        force: undefined,
      };
    case 'json':
      return {
        contentType: 'application/json-patch+json',
        body: patch.operations,
        force: undefined,
      };
    case 'apply':
      // All JSON is YAML, and every server knows this type.
      return {
        contentType: 'application/apply-patch+yaml',
        body: patch.object,
        force: patch.force,
      };
  }
}

function deleteBody(options: DeleteOptions): Pick<RequestOptions, 'headers' | 'body'> {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  const body = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
    ...(dryRun === true && { dryRun: ['All'] }),
  };
  return { headers: { 'content-type': JSON_TYPE }, body: stringifyJson(body) };
}

/** Only the type of the document is validated. */
function decode<T>(response: TransportResponse, path: string): T {
  requireJson(response, path);
  const value = parseJson(response.body);
  if (typeof value === 'object' && value !== null) return value as T;
  throw new Error(`${path}: the server sent no object`);
}

function decodeList<T extends KubeObject>(response: TransportResponse, path: string): KubeList<T> {
  const list = decode<KubeList<T>>(response, path);
  const items = list.items ?? [];
  if (!Array.isArray(items) || typeof list.kind !== 'string') {
    throw new Error(`${path}: the server sent no list`);
  }
  // Items of a list may omit their kind; outside of the list they need it.
  const kind = list.kind.replace(/List$/, '');
  for (const item of items) {
    item.apiVersion ??= list.apiVersion;
    item.kind ??= kind;
  }
  return { ...list, metadata: list.metadata ?? {}, items };
}

function requireJson(
  response: { readonly headers: TransportResponse['headers'] },
  subject: string,
): void {
  const type = response.headers['content-type'] ?? JSON_TYPE;
  if (/^application\/([a-z0-9.+-]+\+)?json\b/.test(type)) return;
  throw new Error(`${subject}: the server sent ${type} instead of JSON`);
}
