import type { Change, Clock } from '@tributary/storage';
import type { Outcome } from '../commits/group-commit.ts';
import { unpack } from '../messages/byte-packer.ts';
import { translateError } from '../messages/errors.ts';
import type {
  CommitRequest,
  FromWorker,
  ToWorker,
  WireWrite,
  WorkerRequest,
} from '../messages/messages.ts';
import { serializeError } from '../messages/serialized-error.ts';
import type { Steps } from '../reads/read-steps.ts';
import type { Engine } from './engine.ts';
import { Maintenance } from './maintenance.ts';
import { Outbox } from './outbox.ts';
import { ReadTasks } from './read-tasks.ts';
import { WritableCheck } from './writable.ts';

/** The maximum size of a transaction, so that its first commit does not wait for long. */
const GROUP_COMMITS_MAX = 512;
const GROUP_BYTES_MAX = 8 * 1024 * 1024;
/** How long reads in steps continue before the next commits. */
const READ_MS = 3;
/** The delay after expired keys could not be deleted. */
const EXPIRY_RETRY_MS = 1000;

interface Task {
  readonly id: number;
  readonly steps: Steps;
}

interface PendingCommit {
  /** Undefined for an expired key, which no request deletes. */
  readonly id: number | undefined;
  readonly change: Change;
  readonly bytes: number;
}

export interface ServiceOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly send: (message: FromWorker) => void;
  /** Receives a message that has arrived meanwhile, without waiting. */
  readonly receive: () => ToWorker | undefined;
  readonly onClose: () => void;
}

/**
 * The loop of the worker. Each turn commits all waiting changes in one transaction, processes reads for a few
 * milliseconds, sends all results in one message, and only then does a step of maintenance.
 */
export class Service {
  readonly #options: ServiceOptions;
  readonly #engine: Engine;
  readonly #outbox = new Outbox();
  readonly #reads: ReadTasks;
  readonly #maintenance: Maintenance;
  readonly #writable: WritableCheck;
  readonly #commits: PendingCommit[] = [];
  readonly #gets: { readonly id: number; readonly key: string }[] = [];
  readonly #tasks: Task[] = [];
  #isFollowed = false;
  #isScheduled = false;
  #cancelTimer: (() => void) | undefined;
  #closing: { readonly id: number } | undefined;
  #isClosed = false;

  constructor(options: ServiceOptions) {
    const { engine, clock } = options;
    this.#options = options;
    this.#engine = engine;
    this.#reads = new ReadTasks({ engine, outbox: this.#outbox, clock });
    this.#maintenance = new Maintenance(engine, clock);
    this.#writable = new WritableCheck(engine.directory, clock);
    this.#schedule();
  }

  /** Schedules a turn. */
  wake(): void {
    this.#schedule();
  }

  accept(message: ToWorker): void {
    this.#take(message);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#cancelTimer?.();
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    for (let next = this.#options.receive(); next; next = this.#options.receive()) this.#take(next);
    this.#commit();
    this.#runGets();
    if (this.#closing !== undefined && this.#commits.length === 0) {
      void this.#close(this.#closing.id);
      return;
    }
    this.#stepTasks();
    this.#send();
    this.#maintenance.step();
    this.#continue();
  }

  #continue(): void {
    const hasMore = this.#commits.length > 0 || this.#tasks.length > 0;
    const waitMs = Math.min(this.#maintenance.waitMs, this.#engine.expiry.waitMs);
    if (hasMore || waitMs <= 0) {
      this.#schedule();
    } else {
      this.#cancelTimer = this.#options.clock.schedule(waitMs, () => this.#schedule());
    }
  }

  #take({ requests, buffers }: ToWorker): void {
    for (const request of requests) {
      try {
        this.#takeOne(request, buffers);
      } catch (error) {
        this.#fail(request.id, error);
      }
    }
  }

  #takeOne(request: WorkerRequest, buffers: readonly ArrayBuffer[]): void {
    const { id } = request;
    switch (request.kind) {
      case 'commit':
        this.#commits.push(pendingCommit(request, buffers));
        return;
      case 'get':
        this.#gets.push(request);
        return;
      case 'list':
        this.#tasks.push({ id, steps: this.#reads.list(request) });
        return;
      case 'count':
        this.#tasks.push({ id, steps: this.#reads.count(id, request.prefix) });
        return;
      case 'changes':
        this.#tasks.push({ id, steps: this.#reads.changes(id, request.after) });
        return;
      case 'backup':
        this.#tasks.push({ id, steps: this.#reads.backup(id, request.file) });
        return;
      case 'follow':
        this.#isFollowed = true;
        this.#outbox.respond({ kind: 'done', id });
        return;
      case 'compact':
        this.#engine.compaction.compact(request.revision);
        this.#outbox.respond({ kind: 'done', id });
        return;
      case 'stats':
        this.#respondWithStats(id);
        return;
      case 'check-writable':
        this.#writable.check();
        this.#outbox.respond({ kind: 'done', id });
        return;
      case 'maintenance':
        this.#outbox.respond({ kind: 'maintenance', id, stats: this.#maintenance.stats() });
        return;
      case 'cancel':
        this.#cancel(id);
        return;
      case 'close':
        this.#closing = { id };
        return;
    }
  }

  #commit(): void {
    const group = this.#nextGroup();
    const due = this.#engine.expiry.due();
    const pending = [...group, ...due.map((change) => ({ id: undefined, change, bytes: 0 }))];
    if (pending.length === 0) return;
    const failed = this.#runGroup(pending);
    this.#engine.expiry.refresh();
    if (failed.some(({ id }) => id === undefined)) this.#engine.expiry.postpone(EXPIRY_RETRY_MS);
    this.#engine.checkpoint.written();
  }

  /**
   * Returns the failed commits. When a group fails, its halves may not: one failing commit must not fail the others of
   * its group.
   */
  #runGroup(pending: readonly PendingCommit[]): readonly PendingCommit[] {
    const { commits, state, policy, compaction } = this.#engine;
    const before = state.current;
    try {
      const outcomes = commits.run(pending.map(({ change }) => change));
      for (const [at, outcome] of outcomes.entries()) this.#respondToCommit(pending[at], outcome);
      policy.added(state.current.historyBytes - before.historyBytes);
      compaction.added(state.current.revision - before.revision);
      return [];
    } catch (error) {
      if (pending.length > 1) {
        const half = pending.length >> 1;
        return [pending.slice(0, half), pending.slice(half)].flatMap((each) =>
          this.#runGroup(each),
        );
      }
      for (const { id } of pending) if (id !== undefined) this.#fail(id, error);
      return pending;
    }
  }

  #nextGroup(): PendingCommit[] {
    let bytes = 0;
    const isOver = ({ bytes: added }: PendingCommit, at: number) => {
      bytes += added;
      return at >= GROUP_COMMITS_MAX || (at > 0 && bytes > GROUP_BYTES_MAX);
    };
    const end = this.#commits.findIndex(isOver);
    return this.#commits.splice(0, end === -1 ? this.#commits.length : end);
  }

  #respondToCommit(pending: PendingCommit | undefined, outcome: Outcome): void {
    if (pending === undefined) return;
    const { id, change } = pending;
    if (outcome.outcome === 'conflict') {
      // An expired key: a commit of the same group has extended its time.
      if (id === undefined) return;
      const current = this.#outbox.stored(outcome.current);
      this.#outbox.respond({ kind: 'conflict', id, key: outcome.key, current });
      return;
    }
    const { revision } = outcome;
    const expired = id === undefined ? change.writes.map(({ key }) => key) : [];
    const previous = this.#isFollowed
      ? outcome.previous.map((stored) => this.#outbox.stored(stored))
      : undefined;
    this.#outbox.commit({ revision, id, expired, previous });
  }

  #runGets(): void {
    for (const { id, key } of this.#gets.splice(0)) {
      try {
        const stored = this.#engine.commits.get(key);
        this.#outbox.respond({ kind: 'stored', id, stored: this.#outbox.stored(stored) });
      } catch (error) {
        this.#fail(id, error);
      }
    }
  }

  #respondWithStats(id: number): void {
    const { revision, compacted, keys, valueBytes } = this.#engine.state.current;
    this.#outbox.respond({ kind: 'stats', id, stats: { revision, compacted, keys, valueBytes } });
  }

  #stepTasks(): void {
    const end = performance.now() + READ_MS;
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      try {
        const { done, value } = task.steps.next();
        if (value instanceof Promise) this.#park(task, value);
        else if (!done) this.#tasks.push(task);
      } catch (error) {
        this.#fail(task.id, error);
      }
      if (performance.now() >= end) return;
    }
  }

  #park(task: Task, waits: Promise<void>): void {
    const resume = () => {
      this.#tasks.push(task);
      this.#schedule();
    };
    const fail = (error: unknown) => {
      task.steps.return();
      this.#fail(task.id, error);
      this.#schedule();
    };
    waits.then(resume, fail);
  }

  #cancel(id: number): void {
    const at = this.#tasks.findIndex((task) => task.id === id);
    if (at !== -1) for (const { steps } of this.#tasks.splice(at, 1)) steps.return();
  }

  #fail(id: number, error: unknown): void {
    const failure = serializeError(translateError(error, this.#engine.directory));
    this.#outbox.respond({ kind: 'failed', id, failure });
  }

  #send(): void {
    const message = this.#outbox.finish(this.#engine.state.current);
    if (message !== undefined) this.#options.send(message);
  }

  async #close(id: number): Promise<void> {
    this.#isClosed = true;
    this.#send();
    for (const { steps } of this.#tasks.splice(0)) steps.return();
    await this.#engine.close();
    this.#outbox.respond({ kind: 'done', id });
    this.#send();
    this.#options.onClose();
  }
}

function pendingCommit(
  { id, require, writes }: CommitRequest,
  buffers: readonly ArrayBuffer[],
): PendingCommit {
  const values = writes.map((write) => (write.kind === 'put' ? write.value.length : 0));
  const bytes = values.reduce((sum, length) => sum + length, 0);
  return {
    id,
    change: { require, writes: writes.map((write) => fromWire(write, buffers)) },
    bytes,
  };
}

function fromWire(write: WireWrite, buffers: readonly ArrayBuffer[]): Change['writes'][number] {
  if (write.kind === 'delete') return write;
  const { kind, key, ttlSeconds } = write;
  const value = unpack(buffers, write.value);
  return ttlSeconds === undefined ? { kind, key, value } : { kind, key, value, ttlSeconds };
}
