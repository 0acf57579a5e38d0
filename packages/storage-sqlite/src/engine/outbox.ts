import type { ChangeEvent, Revision, Stored } from '@tributary/storage';
import { BytePacker } from '../messages/byte-packer.ts';
import { packEvents, packStored } from '../messages/columns.ts';
import type { FromWorker, WireCommit, WireStored, WorkerResponse } from '../messages/messages.ts';

/** The content of the next message to the main thread. */
export class Outbox {
  readonly #packer = new BytePacker();
  #commits: WireCommit[] = [];
  #responses: WorkerResponse[] = [];

  respond(response: WorkerResponse): void {
    this.#responses.push(response);
  }

  commit(commit: WireCommit): void {
    this.#commits.push(commit);
  }

  items(id: number, items: readonly Stored[]): void {
    if (items.length === 0) return;
    this.respond({ kind: 'items', id, items: packStored(items, this.#packer) });
  }

  changes(id: number, events: readonly ChangeEvent[], progress: Revision): void {
    this.respond({ kind: 'changes', id, events: packEvents(events, this.#packer), progress });
  }

  stored(stored: Stored | undefined): WireStored | undefined {
    return stored && this.#wire(stored);
  }

  /** Undefined when the message would be empty. */
  finish(state: { revision: Revision; compacted: Revision }): FromWorker | undefined {
    if (this.#commits.length === 0 && this.#responses.length === 0) return undefined;
    const { revision, compacted } = state;
    const [commits, responses] = [this.#commits, this.#responses];
    this.#commits = [];
    this.#responses = [];
    return { revision, compacted, commits, responses: responses, buffers: this.#packer.finish() };
  }

  #wire(stored: Stored): WireStored {
    const { key, revision } = stored;
    return { key, revision, value: stored.unreadable ? undefined : this.#packer.add(stored.value) };
  }
}
