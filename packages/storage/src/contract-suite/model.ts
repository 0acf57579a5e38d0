import assert from 'node:assert/strict';
import { compareKeys } from '../contract/keys.ts';
import type { Revision } from '../contract/revision.ts';
import type { ChangeEvent, Stored, Write } from '../contract/storage.ts';
import { plain, text } from './actions.ts';

/** The expected content and events of a store, implemented in the simplest way: every commit, replayed each time. */
export class Model {
  readonly #commits: { readonly revision: Revision; readonly writes: readonly Write[] }[] = [];

  /** Commits may be added in any order: several writers learn of theirs at different times. */
  add(revision: Revision, writes: readonly Write[]): void {
    const at = this.#commits.findLastIndex((commit) => commit.revision < revision) + 1;
    this.#commits.splice(at, 0, { revision, writes });
  }

  get revisions(): readonly Revision[] {
    return this.#commits.map(({ revision }) => revision);
  }

  /** The values at a revision, in order, in the form of `plain`. */
  at(revision: Revision, prefix = ''): string[] {
    const values = this.#valuesAt(revision);
    return [...values.values()]
      .filter(({ key }) => key.startsWith(prefix))
      .sort((a, b) => compareKeys(a.key, b.key))
      .map((stored) => plain(stored) as string);
  }

  /** The expected events of a feed after a revision, in the form of `describeEvent`. */
  eventsAfter(after: Revision): string[] {
    const values = this.#valuesAt(after);
    const events: string[] = [];
    for (const { revision, writes } of this.#commits) {
      if (revision <= after) continue;
      for (const write of writes) {
        const value = write.kind === 'put' ? text(write.value) : undefined;
        events.push(line(revision, write.key, value, values.get(write.key)));
        apply(values, write, revision);
      }
    }
    return events;
  }

  #valuesAt(revision: Revision): Map<string, Stored> {
    const values = new Map<string, Stored>();
    for (const commit of this.#commits) {
      if (commit.revision > revision) break;
      for (const write of commit.writes) apply(values, write, commit.revision);
    }
    return values;
  }
}

/** An event as one line, with the value it replaced. */
export function describeEvent(event: ChangeEvent): string {
  const { revision, key, previous } = event;
  assert.ok(previous === undefined || previous.revision < revision, 'previous is older');
  return line(revision, key, event.kind === 'put' ? text(event.value) : undefined, previous);
}

function line(
  revision: Revision,
  key: string,
  value: string | undefined,
  previous: Stored | undefined,
): string {
  const change = value === undefined ? 'deleted' : `=${value}`;
  return `${revision} ${key} ${change}, before ${plain(previous) ?? 'nothing'}`;
}

function apply(values: Map<string, Stored>, write: Write, revision: Revision): void {
  if (write.kind === 'delete') values.delete(write.key);
  else values.set(write.key, { key: write.key, value: write.value, revision });
}
