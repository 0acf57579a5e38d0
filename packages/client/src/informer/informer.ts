import type { KubeObject } from '@tributary/apimachinery';
import { unlessAborted } from '../timing/abort.ts';
import { type EventHandler, HandlerQueue } from './handler-queue.ts';
import {
  type Change,
  type Indexers,
  ObjectStore,
  type ReadonlyStore,
  sameContent,
  sameVersion,
} from './object-store.ts';
import { type ListWatch, Reflector, type ReflectorOptions } from './reflector.ts';

/** A local copy of a resource that follows the server, and notifies handlers of every change. */
export interface Informer<T extends KubeObject, Index extends string = never>
  extends AsyncDisposable {
  readonly store: ReadonlyStore<T, Index>;
  /** Whether the store has had the whole state once. */
  readonly synced: boolean;
  /** Rejects when the informer is closed first, or with the signal's reason. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  /** The version of the store; empty before the first state. */
  readonly lastSyncResourceVersion: string;
  /** Notifies the handler of every object in the store, and then of every change. Several handlers share one store. */
  addHandler(handler: EventHandler<T>): Subscription;
  /** Starts following; starting twice is harmless. */
  start(): void;
  /** Ends the watch. No handler is called any more, apart from a call under way. */
  close(): Promise<void>;
}

export interface Subscription {
  /** Whether the handler has got all initial objects. */
  readonly synced: boolean;
  whenSynced(): Promise<void>;
  /** The number of pending changes of the handler. */
  readonly pending: number;
  close(): void;
}

export interface InformerOptions<T extends KubeObject, Index extends string>
  extends ReflectorOptions {
  readonly resource: ListWatch<T>;
  /** Beside the index `namespace`, which always exists. */
  readonly indexers?: Indexers<T, Index>;
  /** How far a handler may fall behind before its pending changes are merged. */
  readonly handlerQueueMax?: number;
}

const HANDLER_QUEUE_MAX = 10_000;

export function createInformer<T extends KubeObject, Index extends string = never>(
  options: InformerOptions<T, Index>,
): Informer<T, Index> {
  return new ReflectedInformer<T, Index>(options);
}

class ReflectedInformer<T extends KubeObject, Index extends string> implements Informer<T, Index> {
  readonly #store: ObjectStore<T, Index>;
  readonly #reflector: Reflector<T>;
  readonly #options: InformerOptions<T, Index>;
  readonly #handlers = new Set<HandlerQueue<T>>();
  readonly #stop = new AbortController();
  readonly #syncedOnce = Promise.withResolvers<void>();
  #synced = false;
  #running: Promise<void> | undefined;

  constructor(options: InformerOptions<T, Index>) {
    const { resource, indexers, handlerQueueMax: _, ...reflectorOptions } = options;
    this.#options = options;
    // Without indexers `Index` is `never`, and an empty record has all of its keys.
    this.#store = new ObjectStore(indexers ?? ({} as Indexers<T, Index>));
    this.#reflector = new Reflector(
      resource,
      {
        replace: (objects, { newHistory }) => {
          const isSame = newHistory ? sameContent : sameVersion;
          for (const change of this.#store.replace(objects, isSame)) this.#notify([change]);
          this.#finishSync();
        },
        apply: ({ type, object }) =>
          this.#notify(type === 'DELETED' ? this.#store.remove(object) : this.#store.put(object)),
      },
      reflectorOptions,
    );
    this.#syncedOnce.promise.catch(() => {}); // Only callers of whenSynced need the failure.
  }

  get store(): ReadonlyStore<T, Index> {
    return this.#store;
  }

  get synced(): boolean {
    return this.#synced;
  }

  get lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion;
  }

  whenSynced(signal?: AbortSignal): Promise<void> {
    return unlessAborted(this.#syncedOnce.promise, signal);
  }

  addHandler(handler: EventHandler<T>): Subscription {
    const queue = new HandlerQueue(handler, {
      queueMax: this.#options.handlerQueueMax ?? HANDLER_QUEUE_MAX,
      onError: (error) => this.#options.onError?.(error),
    });
    if (this.#stop.signal.aborted) queue.close();
    else this.#handlers.add(queue);
    queue.push(
      this.#store.list().map((object) => ({ kind: 'add', object })),
      true,
    );
    if (this.#synced) queue.pushSynced();
    return {
      get synced() {
        return queue.isSynced;
      },
      get pending() {
        return queue.size;
      },
      whenSynced: () => queue.whenSynced(),
      close: () => {
        this.#handlers.delete(queue);
        queue.close();
      },
    };
  }

  start(): void {
    if (this.#stop.signal.aborted) throw new Error('the informer is closed');
    this.#running ??= this.#reflector.run(this.#stop.signal);
  }

  async close(): Promise<void> {
    const closed = new Error('the informer is closed');
    this.#stop.abort(closed);
    if (!this.#synced) this.#syncedOnce.reject(closed);
    for (const queue of this.#handlers) queue.close();
    this.#handlers.clear();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #notify(changes: readonly Change<T>[]): void {
    for (const queue of this.#handlers) queue.push(changes, !this.#synced);
  }

  #finishSync(): void {
    if (this.#synced) return;
    this.#synced = true;
    this.#syncedOnce.resolve();
    for (const queue of this.#handlers) queue.pushSynced();
  }
}
