import type { KubeList, KubeObject, ObjectMeta } from '@tributary/apimachinery';
import {
  type Client,
  type ListAllOptions,
  type ListWatch,
  metadataResource,
  type ResourceType,
  type WatchOptions,
} from '@tributary/client';

/** Limits for a watched resource. */
export interface SourceBounds {
  readonly objectsMax: number;
  /** Bytes of an object, in a list or in an event. */
  readonly objectBytesMax: number;
  /** Bytes of a page. */
  readonly pageBytesMax: number;
  /** Objects per page, where the server supports pages. */
  readonly pageSize: number;
}

const MEGABYTE = 1024 * 1024;
/** Other servers are not trusted: an unbounded response must not exhaust the memory of this one. */
export const REMOTE_BOUNDS: SourceBounds = {
  objectsMax: 500_000,
  objectBytesMax: 8 * MEGABYTE,
  pageBytesMax: 32 * MEGABYTE,
  pageSize: 100,
};

const PAGE_SIZE = 500;

/** The metadata of a resource, reduced to the fields of the graph. Exceeding the limits is an error. */
export function metadataSource(
  { transport }: Client,
  type: ResourceType,
  bounds: SourceBounds | undefined,
): ListWatch<KubeObject> {
  const objects = metadataResource(transport, type);
  const page = bounds && { responseBytesMax: bounds.pageBytesMax };
  /** The current number of objects. */
  let count = 0;
  const check = () => {
    if (bounds !== undefined && count > bounds.objectsMax) {
      throw new Error(`${type.plural}.${type.group}: more than ${bounds.objectsMax} objects`);
    }
  };
  return {
    type,
    list: (options = {}) =>
      objects.list({
        ...options,
        ...page,
        ...(bounds && options.limit === 1 && { responseBytesMax: bounds.objectBytesMax }),
      }),
    async listAll({ pageSize = bounds?.pageSize ?? PAGE_SIZE, ...options }: ListAllOptions = {}) {
      const first = await objects.list({
        ...options,
        ...page,
        ...(pageSize > 0 && { limit: pageSize }),
      });
      const items: KubeObject[] = first.items.map(withGraphMetadata);
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
      let token = first.metadata.continue ?? '';
      count = items.length;
      while (token !== '') {
        check();
        const next: KubeList = await objects.list({
          ...rest,
          ...page,
          limit: pageSize,
          continue: token,
        });
        for (const item of next.items) items.push(withGraphMetadata(item));
        count = items.length;
        token = next.items.length === 0 ? '' : (next.metadata.continue ?? '');
      }
      check();
      return { ...first, metadata: withoutToken(first.metadata), items };
    },
    async *watch(options: WatchOptions = {}) {
      const limits = bounds && { eventBytesMax: bounds.objectBytesMax };
      if (options.sendInitialEvents === true) count = 0;
      for await (const event of objects.watch({ ...options, ...limits })) {
        if (event.type === 'ADDED') count += 1;
        if (event.type === 'DELETED') count -= 1;
        check();
        yield event.type === 'BOOKMARK'
          ? event
          : { type: event.type, object: withGraphMetadata(event.object) };
      }
    },
  };
}

function withGraphMetadata({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, ownerReferences, finalizers } = metadata;
  const { deletionTimestamp } = metadata;
  const reduced: ObjectMeta = {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
  return { apiVersion, kind, metadata: reduced };
}

function withoutToken({ resourceVersion }: KubeList['metadata']): KubeList['metadata'] {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
