import { setImmediate } from 'node:timers/promises';
import type { KubeObject } from '@tributary/apimachinery';
import { type Change, objectKey } from './object-store.ts';

/** A handler of changes. Calls are sequential and in order; a promise is awaited before the next one. */
export interface EventHandler<T extends KubeObject = KubeObject> {
  /** `initial` for objects that existed before the handler. */
  onAdd?(object: T, details: { readonly initial: boolean }): void | Promise<void>;
  onUpdate?(old: T, object: T): void | Promise<void>;
  /** `finalStateUnknown` when the deletion itself was missed; the object is then the last known state. */
  onDelete?(object: T, details: { readonly finalStateUnknown: boolean }): void | Promise<void>;
}

export interface HandlerQueueOptions {
  /** Beyond this many pending changes those of one object are merged, see `HandlerQueue`. */
  readonly queueMax: number;
  /** Called with errors of the handler; the next change is delivered all the same. */
  onError(error: unknown): void;
}

/** The number of changes that are delivered before the event loop runs others. */
const CHANGES_PER_TURN = 128;

/**
 * The pending changes of one handler. A handler that keeps up gets every change. One that falls behind gets fewer, but
 * never wrong ones: the pending changes of an object are merged into one step from the state that the handler knows to
 * the newest. So the queue never holds more than a few steps for each object.
 */
export class HandlerQueue<T extends KubeObject> {
  readonly #handler: EventHandler<T>;
  readonly #options: HandlerQueueOptions;
  readonly #synced = Promise.withResolvers<void>();
  #isSynced = false;
  #waiting: Entry<T>[] = [];
  #next = 0;
  #foldAt: number;
  #running = false;
  #closed = false;

  constructor(handler: EventHandler<T>, options: HandlerQueueOptions) {
    this.#handler = handler;
    this.#options = options;
    this.#foldAt = options.queueMax;
    this.#synced.promise.catch(() => {}); // Only callers of whenSynced need the failure.
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Resolves when the handler has got all initial objects. */
  whenSynced(): Promise<void> {
    return this.#synced.promise;
  }

  get size(): number {
    return this.#waiting.length - this.#next;
  }

  push(changes: readonly Change<T>[], initial: boolean): void {
    if (this.#closed) return;
    for (const change of changes) this.#waiting.push({ change, initial });
    if (this.size > this.#foldAt) this.#fold();
    this.#start();
  }

  /** Everything before this is initial. */
  pushSynced(): void {
    if (this.#closed) return;
    this.#waiting.push('synced');
    this.#start();
  }

  /** Nothing more is delivered. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#next = 0;
    if (!this.#isSynced) this.#synced.reject(new Error('the handler was closed before it synced'));
  }

  #start(): void {
    if (this.#running) return;
    this.#running = true;
    void this.#run();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    for (let delivered = 1; ; delivered += 1) {
      // The code that pushed changes, or took many, runs first.
      if (delivered % CHANGES_PER_TURN === 1) await setImmediate();
      const entry = this.#take();
      if (entry === undefined) break;
      if (entry === 'synced') this.#finishSync();
      else await this.#deliver(entry);
    }
    this.#running = false;
  }

  #take(): Entry<T> | undefined {
    const entry = this.#waiting[this.#next];
    if (entry === undefined) {
      this.#waiting = [];
      this.#next = 0;
      this.#foldAt = this.#options.queueMax;
      return undefined;
    }
    this.#next += 1;
    if (this.#next >= CHANGES_PER_TURN && this.#next * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return entry;
  }

  async #deliver({ change, initial }: Exclude<Entry<T>, 'synced'>): Promise<void> {
    try {
      const done = callHandler(this.#handler, change, initial);
      if (done !== undefined) await done;
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #finishSync(): void {
    this.#isSynced = true;
    this.#synced.resolve();
  }

  #fold(): void {
    const waiting = this.#waiting.slice(this.#next);
    this.#waiting = foldEntries(waiting);
    this.#next = 0;
    // Merging again pays only after as many changes as there are steps left.
    this.#foldAt = Math.max(this.#options.queueMax, this.#waiting.length * 2);
  }
}

type Entry<T extends KubeObject> =
  | { readonly change: Change<T>; readonly initial: boolean }
  | 'synced';

function callHandler<T extends KubeObject>(
  handler: EventHandler<T>,
  change: Change<T>,
  initial: boolean,
): void | Promise<void> {
  switch (change.kind) {
    case 'add':
      return handler.onAdd?.(change.object, { initial });
    case 'update':
      return handler.onUpdate?.(change.old, change.object);
    case 'delete':
      return handler.onDelete?.(change.object, { finalStateUnknown: change.finalStateUnknown });
  }
}

/** The pending steps of one object: the end of the object that the handler knew, and the current object. */
interface Steps<T extends KubeObject> {
  gone?: Exclude<Entry<T>, 'synced'> | undefined;
  here?: Exclude<Entry<T>, 'synced'> | undefined;
}

function foldEntries<T extends KubeObject>(entries: readonly Entry<T>[]): Entry<T>[] {
  const steps = new Map<string, Steps<T>>();
  for (const entry of entries) {
    if (entry === 'synced') continue;
    const key = objectKey(entry.change.object);
    const before = steps.get(key);
    if (before === undefined) steps.set(key, addStep({}, entry));
    else addStep(before, entry);
  }
  const folded: Entry<T>[] = steps
    .values()
    .flatMap(({ gone, here }) => [gone, here].filter((entry) => entry !== undefined))
    .toArray();
  // The sync is announced later than it was reached, and never earlier.
  return entries.includes('synced') ? [...folded, 'synced'] : folded;
}

function addStep<T extends KubeObject>(
  steps: Steps<T>,
  entry: Exclude<Entry<T>, 'synced'>,
): Steps<T> {
  const { change } = entry;
  const here = steps.here;
  if (change.kind === 'delete') {
    // An object that was added since the last delivery was never visible to the handler.
    if (here?.change.kind !== 'add') steps.gone = entry;
    steps.here = undefined;
  } else if (change.kind === 'update' && here !== undefined) {
    steps.here = { ...here, change: { ...here.change, object: change.object } };
  } else {
    steps.here = entry;
  }
  return steps;
}
