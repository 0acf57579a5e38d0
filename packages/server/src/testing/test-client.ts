import type { ListMeta, ObjectMeta } from '@tributary/apimachinery';
import type { ResourceDefinition } from '../definition/resource.ts';
import type { TestRequestOptions, TestResponse } from './test-requests.ts';
import { requireSuccess } from './test-requests.ts';
import type { TestWatch } from './test-watch.ts';

/** Sends the client's requests. */
export interface Transport {
  request(method: string, path: string, options?: TestRequestOptions): Promise<TestResponse>;
  watch<Object>(path: string, options?: TestRequestOptions): Promise<TestWatch<Object>>;
}

/** Query parameters; undefined ones are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface CallOptions {
  readonly query?: Query;
  /** The subresource to read and write, such as `status` or `scale`. */
  readonly subresource?: string;
}

export interface ListQuery extends Query {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
}

export interface ObjectList<Object> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: Object[];
}

/** An object as sent: the server knows its type from the path. */
export type Sent<Object> = Omit<Object, 'apiVersion' | 'kind' | 'metadata'> & {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
};

export type PatchKind = 'merge' | 'json' | 'strategic' | 'apply';

const PATCH_TYPES: Readonly<Record<PatchKind, string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

/** One resource in one version. Failures are thrown as StatusError. */
export interface TestClient<Object, ByVersion = unknown> {
  /** The same resource in another version. */
  in<Version extends keyof ByVersion & string>(
    version: Version,
  ): TestClient<ByVersion[Version], ByVersion>;
  /** Another namespace than `default`; the empty one means all of them, for lists and watches. */
  inNamespace(namespace: string): TestClient<Object, ByVersion>;
  get(name: string, options?: CallOptions): Promise<Object>;
  list(query?: ListQuery): Promise<ObjectList<Object>>;
  create(object: Sent<Object>, query?: Query): Promise<Object>;
  /** The path has the name of the object's metadata. */
  update(object: Sent<Object>, options?: CallOptions): Promise<Object>;
  /** Default: a merge patch. */
  patch(
    name: string,
    patch: unknown,
    options?: CallOptions & { readonly type?: PatchKind },
  ): Promise<Object>;
  /** Resolves with the response: a Status, or the object while finalizers remain. `options` are DeleteOptions. */
  delete(name: string, options?: object): Promise<unknown>;
  /** POST to an action of an object. */
  run(name: string, action: string, body?: unknown, query?: Query): Promise<unknown>;
  /** Resolves when the watch is open. */
  watch(query?: ListQuery): Promise<TestWatch<Object>>;
}

interface ClientPlace {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
}

export function testClient<Object, ByVersion>(
  { send, resource }: { send: Transport; resource: ResourceDefinition<Object, ByVersion> },
  place: ClientPlace,
): TestClient<Object, ByVersion> {
  const collection = collectionPath(resource, place);
  const pathOf = (name: string, { subresource }: CallOptions = {}) =>
    [collection, encodeURIComponent(name), ...(subresource ? [subresource] : [])].join('/');
  const call = async (method: string, path: string, query?: Query, more?: TestRequestOptions) =>
    requireSuccess(await send.request(method, path + queryText(query), more));
  const at = (other: Partial<ClientPlace>) =>
    testClient({ send, resource }, { ...place, ...other });

  return {
    // Only the types of another version differ.
    in: (version) => at({ version }) as TestClient<never, ByVersion>,
    inNamespace: (namespace) => at({ namespace }),
    get: async (name, options) =>
      (await call('GET', pathOf(name, options), options?.query)) as Object,
    list: async (query) => (await call('GET', collection, query)) as ObjectList<Object>,
    create: async (body, query) => (await call('POST', collection, query, { body })) as Object,
    update: async (body, options) => {
      const path = pathOf(body.metadata.name ?? '', options);
      return (await call('PUT', path, options?.query, { body })) as Object;
    },
    patch: async (name, body, options) => {
      const contentType = PATCH_TYPES[options?.type ?? 'merge'];
      const sent = { body, contentType };
      return (await call('PATCH', pathOf(name, options), options?.query, sent)) as Object;
    },
    delete: (name, options) =>
      call('DELETE', pathOf(name), undefined, options && { body: options }),
    run: (name, action, body = {}, query) =>
      call('POST', pathOf(name, { subresource: action }), query, { body }),
    watch: (query) => send.watch<Object>(collection + queryText({ ...query, watch: true })),
  };
}

function collectionPath(
  { plural, scope }: ResourceDefinition,
  { group, version, namespace }: ClientPlace,
): string {
  const inNamespace = scope === 'Namespaced' && namespace !== '' ? ['namespaces', namespace] : [];
  const prefix = group === '' ? ['/api'] : ['/apis', group];
  return [...prefix, version, ...inNamespace, plural].join('/');
}

function queryText(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
