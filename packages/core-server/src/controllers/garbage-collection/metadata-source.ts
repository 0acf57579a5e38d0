import type { KubeList, KubeObject, ObjectMeta } from '@tributary/apimachinery';
import {
  type Client,
  type ListAllOptions,
  type ListWatch,
  metadataResource,
  type ResourceType,
  type WatchOptions,
} from '@tributary/client';

/** What a resource may cost whoever follows it. */
export interface SourceBounds {
  readonly objectsMax: number;
  /** Of one object, in a list or in an event of a watch. */
  readonly objectBytesMax: number;
  /** Of one page of a list. */
  readonly pageBytesMax: number;
  /** Of the pages, where they are possible. */
  readonly pageSize: number;
}

const MEGABYTE = 1024 * 1024;
/** Other servers may send what they like, for ever: their mistakes must not become this one's. */
export const REMOTE_BOUNDS: SourceBounds = {
  objectsMax: 500_000,
  objectBytesMax: 8 * MEGABYTE,
  pageBytesMax: 32 * MEGABYTE,
  pageSize: 100,
};

const PAGE_SIZE = 500;

/** The metadata of a resource, of which only that is kept that a graph needs. More than the bounds allow is an error. */
export function metadataSource(
  { transport }: Client,
  type: ResourceType,
  bounds: SourceBounds | undefined,
): ListWatch<KubeObject> {
  const objects = metadataResource(transport, type);
  const page = bounds && { responseBytesMax: bounds.pageBytesMax };
  /** How many there are by what was told. */
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
      const items: KubeObject[] = first.items.map(slim);
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
        for (const item of next.items) items.push(slim(item));
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
        yield event.type === 'BOOKMARK' ? event : { type: event.type, object: slim(event.object) };
      }
    },
  };
}

function slim({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, ownerReferences, finalizers } = metadata;
  const { deletionTimestamp } = metadata;
  const kept: ObjectMeta = {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(ownerReferences && { ownerReferences }),
    ...(finalizers && { finalizers }),
  };
  return { apiVersion, kind, metadata: kept };
}

function withoutToken({ resourceVersion }: KubeList['metadata']): KubeList['metadata'] {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
