import type { KubeObject } from '@tributary/apimachinery';
import type { EventHandler, Informer, ReadonlyStore, Subscription } from '@tributary/client';

/** Copies of a resource in some namespaces, seen as one. */
export interface NamespaceInformers<T extends KubeObject> {
  /** Counts as synced from the start: which namespaces are known is another question. */
  readonly informer: Informer<T>;
  /** Begins to follow these namespaces, and ends to follow all others. */
  only(namespaces: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** A listener, with its subscription in each namespace. */
interface Listener<T extends KubeObject> {
  readonly handler: EventHandler<T>;
  readonly seen: Map<string, Subscription>;
}

export function namespaceInformers<T extends KubeObject>(
  open: (namespace: string) => Informer<T>,
): NamespaceInformers<T> {
  const informers = new Map<string, Informer<T>>();
  const listeners = new Set<Listener<T>>();
  const closing = new Set<Promise<void>>();

  const begin = (namespace: string): void => {
    const informer = open(namespace);
    informers.set(namespace, informer);
    for (const { handler, seen } of listeners) seen.set(namespace, informer.addHandler(handler));
    informer.start();
  };
  const end = (namespace: string, informer: Informer<T>): void => {
    informers.delete(namespace);
    for (const { handler, seen } of listeners) {
      seen.get(namespace)?.close();
      seen.delete(namespace);
      for (const object of informer.store.list()) {
        void handler.onDelete?.(object, { finalStateUnknown: true });
      }
    }
    const closed = informer.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const addHandler = (handler: EventHandler<T>): Subscription => {
    const listener: Listener<T> = { handler, seen: new Map() };
    listeners.add(listener);
    for (const [namespace, informer] of informers) {
      listener.seen.set(namespace, informer.addHandler(handler));
    }
    const subscriptions = () => [...listener.seen.values()];
    return {
      synced: true,
      whenSynced: async () => {},
      get pending() {
        return subscriptions().reduce((sum, { pending }) => sum + pending, 0);
      },
      close() {
        listeners.delete(listener);
        for (const subscription of subscriptions()) subscription.close();
      },
    };
  };
  const close = async (): Promise<void> => {
    for (const [namespace, informer] of [...informers]) end(namespace, informer);
    await Promise.all(closing);
  };
  return {
    informer: {
      store: unitedStore(informers),
      synced: true,
      whenSynced: async () => {},
      lastSyncResourceVersion: '',
      addHandler,
      start() {},
      close,
      [Symbol.asyncDispose]: close,
    },
    only(namespaces) {
      for (const [namespace, informer] of [...informers]) {
        if (!namespaces.has(namespace)) end(namespace, informer);
      }
      for (const namespace of namespaces) if (!informers.has(namespace)) begin(namespace);
    },
    close,
  };
}

function unitedStore<T extends KubeObject>(
  informers: ReadonlyMap<string, Informer<T>>,
): ReadonlyStore<T> {
  const stores = () => [...informers.values()].map(({ store }) => store);
  return {
    get size() {
      return stores().reduce((sum, { size }) => sum + size, 0);
    },
    get: (key) => informers.get(key.slice(0, key.indexOf('/')))?.store.get(key),
    keys: () =>
      stores()
        .values()
        .flatMap((store) => store.keys()),
    list: () => stores().flatMap((store) => store.list()),
    byIndex: (index, value) => stores().flatMap((store) => store.byIndex(index, value)),
    indexValues: (index) => stores().flatMap((store) => store.indexValues(index)),
  };
}
