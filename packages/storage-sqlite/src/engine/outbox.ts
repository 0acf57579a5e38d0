import type { ChangeEvent, Revision, Stored } from '@tributary/storage';
import { BytePacker } from '../messages/byte-packer.ts';
import { packEvents, packStored } from '../messages/columns.ts';
import type { Answer, FromWorker, WireCommit, WireStored } from '../messages/messages.ts';

/** The content of the next message to the main thread. */
export class Outbox {
  readonly #packer = new BytePacker();
  #commits: WireCommit[] = [];
  #answers: Answer[] = [];

  answer(answer: Answer): void {
    this.#answers.push(answer);
  }

  commit(commit: WireCommit): void {
    this.#commits.push(commit);
  }

  items(id: number, items: readonly Stored[]): void {
    if (items.length === 0) return;
    this.answer({ kind: 'items', id, items: packStored(items, this.#packer) });
  }

  changes(id: number, events: readonly ChangeEvent[], progress: Revision): void {
    this.answer({ kind: 'changes', id, events: packEvents(events, this.#packer), progress });
  }

  stored(stored: Stored | undefined): WireStored | undefined {
    return stored && this.#wire(stored);
  }

  /** Undefined when the message would be empty. */
  finish(state: { revision: Revision; compacted: Revision }): FromWorker | undefined {
    if (this.#commits.length === 0 && this.#answers.length === 0) return undefined;
    const { revision, compacted } = state;
    const [commits, answers] = [this.#commits, this.#answers];
    this.#commits = [];
    this.#answers = [];
    return { revision, compacted, commits, answers, buffers: this.#packer.finish() };
  }

  #wire(stored: Stored): WireStored {
    const { key, revision } = stored;
    return { key, revision, value: stored.unreadable ? undefined : this.#packer.add(stored.value) };
  }
}
