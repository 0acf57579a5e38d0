import { setImmediate as turn } from 'node:timers/promises';
import type { KubeObject } from '@tributary/apimachinery';
import {
  createInformer,
  type Informer,
  type ListWatch,
  objectKey,
  type ResourceType,
  type WatchEvent,
} from '@tributary/client';

/** A real informer of objects that a test puts there by hand. */
export interface HandInformer<T extends KubeObject> extends AsyncDisposable {
  readonly informer: Informer<T>;
  /** Before this, nothing was read. */
  start(): Promise<void>;
  /** Gives the object a version. Returns when the informer and its handlers have it. */
  put(object: T): Promise<T>;
  remove(object: T): Promise<void>;
}

export function handInformer<T extends KubeObject>(type: ResourceType): HandInformer<T> {
  const events: WatchEvent<T>[] = [];
  const objects = new Map<string, T>();
  let version = 1;
  let wake = () => {};
  const source = {
    type,
    listAll: async () => ({
      apiVersion: 'v1',
      kind: 'List',
      metadata: { resourceVersion: String(version) },
      items: [...objects.values()],
    }),
    async *watch({ signal }: { signal?: AbortSignal } = {}) {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
            signal?.addEventListener('abort', () => resolve(), { once: true });
          });
        }
        if (signal?.aborted) return;
      }
    },
  } as unknown as ListWatch<T>; // A reflector of lists uses nothing else.
  const informer = createInformer<T>({ resource: source, watchList: false });
  const notify = async (event: WatchEvent<T>) => {
    if (!informer.synced) return;
    events.push(event);
    wake();
    for (let turns = 0; turns < 6; turns += 1) await turn();
  };
  return {
    informer,
    async start() {
      informer.start();
      await informer.whenSynced();
      for (let turns = 0; turns < 6; turns += 1) await turn();
    },
    async put(object) {
      version += 1;
      const stored = {
        ...object,
        metadata: { ...object.metadata, resourceVersion: String(version) },
      };
      const type = objects.has(objectKey(object)) ? 'MODIFIED' : 'ADDED';
      objects.set(objectKey(object), stored);
      await notify({ type, object: stored });
      return stored;
    },
    async remove(object) {
      version += 1;
      const stored = objects.get(objectKey(object));
      objects.delete(objectKey(object));
      if (stored !== undefined) await notify({ type: 'DELETED', object: stored });
    },
    [Symbol.asyncDispose]: () => informer.close(),
  };
}
