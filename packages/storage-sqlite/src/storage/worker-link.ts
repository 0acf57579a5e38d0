import type { Worker } from 'node:worker_threads';
import { type Revision, StorageClosed, StorageUnavailable, type Write } from '@tributary/storage';
import { BytePacker, type BytesLocation } from '../messages/byte-packer.ts';
import type {
  FromWorker,
  ToWorker,
  WireCommit,
  WorkerRequest,
  WorkerResponse,
} from '../messages/messages.ts';
import { deserializeError } from '../messages/serialized-error.ts';

/** Requests beyond these are rejected at once. */
const REQUESTS_MAX = 10_000;
const BYTES_MAX = 256 * 1024 * 1024;

/** A request without its number. */
export type NewRequest = WorkerRequest extends infer Each
  ? Each extends WorkerRequest
    ? Omit<Each, 'id'>
    : never
  : never;

/** A pending request, which may take several responses. */
export interface PendingRequest {
  /** True for the last response. */
  onResponse(response: WorkerResponse, buffers: readonly ArrayBuffer[]): boolean;
  reject(error: unknown): void;
  /** The writes of a commit; their values need not travel back. */
  readonly writes?: readonly Write[];
  /** The commit is on disk. */
  committed?(revision: Revision): void;
}

interface Pending extends PendingRequest {
  readonly bytes: number;
}

export interface LinkEvents {
  /** A commit, in order of revision, before its caller gets the result. */
  commit(
    commit: WireCommit,
    writes: readonly Write[] | undefined,
    buffers: readonly ArrayBuffer[],
  ): void;
  /** The state of the store in a message, after its commits and before its responses. */
  state(message: FromWorker): void;
  failed(error: Error): void;
}

/**
 * The main thread's side of the connection to the worker: all requests of one turn of the event loop travel in one
 * message.
 */
export class WorkerLink {
  readonly #worker: Worker;
  readonly #events: LinkEvents;
  readonly #pending = new Map<number, Pending>();
  readonly #packer = new BytePacker();
  #requests: WorkerRequest[] = [];
  #lastId = 0;
  #bytes = 0;
  #failure: Error | undefined;
  #isClosing = false;

  constructor(worker: Worker, events: LinkEvents) {
    this.#worker = worker;
    this.#events = events;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error) => this.#fail(unavailable(error.message, error)));
    worker.on('exit', (code) => {
      this.#fail(this.#isClosing ? new StorageClosed() : unavailable(`it ended with ${code}`));
    });
    // An open store does not keep the process alive; a pending request does.
    worker.unref();
  }

  /** Copies a value into the next message. */
  pack(value: Uint8Array): BytesLocation {
    return this.#packer.add(value);
  }

  /** Returns the request's number, by which it can be cancelled. */
  send(request: NewRequest, waiter: PendingRequest, bytes = 0): number {
    if (this.#failure !== undefined) throw this.#failure;
    const id = ++this.#lastId;
    if (this.#pending.size === 0) this.#worker.ref();
    this.#pending.set(id, { ...waiter, bytes });
    this.#bytes += bytes;
    this.#post({ ...request, id } as WorkerRequest);
    return id;
  }

  assertCapacity(bytes: number): void {
    if (this.#pending.size < REQUESTS_MAX && this.#bytes + bytes <= BYTES_MAX) return;
    throw new StorageUnavailable('too many requests are waiting for the store');
  }

  cancel(id: number, reason: unknown): void {
    const waiter = this.#pending.get(id);
    if (waiter === undefined) return;
    this.#forget(id, waiter);
    waiter.reject(reason);
    this.#post({ kind: 'cancel', id });
  }

  /** The worker finishes the commits under way and ends; other pending requests are rejected. */
  async close(): Promise<void> {
    if (this.#failure !== undefined) return;
    this.#isClosing = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#worker.on('exit', () => resolve());
    this.#worker.ref();
    this.#post({ kind: 'close', id: 0 });
    await promise;
  }

  #post(request: WorkerRequest): void {
    this.#requests.push(request);
    // After the promises that resolve now, so that their requests travel in the same message.
    if (this.#requests.length === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    if (this.#failure !== undefined) return;
    const message: ToWorker = { requests: this.#requests, buffers: this.#packer.finish() };
    this.#requests = [];
    this.#worker.postMessage(message, [...message.buffers]);
  }

  #receive(message: FromWorker): void {
    const { commits, responses, buffers } = message;
    const acknowledge: (() => void)[] = [];
    for (const commit of commits) {
      const { id, revision } = commit;
      const waiter = id === undefined ? undefined : this.#pending.get(id);
      this.#events.commit(commit, waiter?.writes, buffers);
      if (id === undefined || waiter === undefined) continue;
      this.#forget(id, waiter);
      acknowledge.push(() => waiter.committed?.(revision));
    }
    this.#events.state(message);
    for (const run of acknowledge) run();
    for (const response of responses) this.#onResponse(response, buffers);
  }

  #onResponse(response: WorkerResponse, buffers: readonly ArrayBuffer[]): void {
    const waiter = this.#pending.get(response.id);
    if (waiter === undefined) return;
    if (response.kind === 'failed') {
      this.#forget(response.id, waiter);
      waiter.reject(deserializeError(response.failure));
    } else if (waiter.onResponse(response, buffers)) {
      this.#forget(response.id, waiter);
    }
  }

  #forget(id: number, { bytes }: Pending): void {
    this.#pending.delete(id);
    this.#bytes -= bytes;
    if (this.#pending.size === 0 && !this.#isClosing) this.#worker.unref();
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    for (const [id, waiter] of this.#pending) {
      this.#forget(id, waiter);
      waiter.reject(error);
    }
    this.#events.failed(error);
  }
}

function unavailable(message: string, cause?: unknown): StorageUnavailable {
  return new StorageUnavailable(`the thread of the store failed: ${message}`, { cause });
}
