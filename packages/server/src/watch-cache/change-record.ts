import type { Revision } from '@tributary/storage';
import type { ResourceObject } from './cached-object.ts';
import type { ChangeType } from './frames.ts';
import type { Selection } from './selection.ts';
import type { Framing } from './types.ts';

/** What a watcher is told of one object. Shared by all who are told the same. */
export class ObjectEvent {
  readonly type: ChangeType;
  readonly object: ResourceObject;
  readonly #record: ChangeRecord | undefined;

  constructor(type: ChangeType, object: ResourceObject, record?: ChangeRecord) {
    this.type = type;
    this.object = object;
    this.#record = record;
  }

  get previous(): ResourceObject | undefined {
    return this.#record?.previous;
  }

  left(): ObjectEvent | undefined {
    return this.#record?.asDeleted();
  }

  frame<T extends Uint8Array>(framing: Framing<T>): T {
    return this.object.frame(this.type, framing);
  }
}

/** One change of one object, from which each watcher gets the event that its selection makes of it. */
export class ChangeRecord {
  readonly revision: Revision;
  /** When it was seen here. */
  readonly atMs: number;
  readonly previous: ResourceObject | undefined;
  readonly current: ResourceObject | undefined;
  #added: ObjectEvent | undefined;
  #modified: ObjectEvent | undefined;
  #deleted: ObjectEvent | undefined;

  constructor(change: {
    revision: Revision;
    atMs: number;
    previous: ResourceObject | undefined;
    current: ResourceObject | undefined;
  }) {
    this.revision = change.revision;
    this.atMs = change.atMs;
    this.previous = change.previous;
    this.current = change.current;
  }

  get key(): string {
    return (this.current ?? this.previous)?.key ?? '';
  }

  /** Memory that only history holds: the value replaced, and that of a deletion once more. */
  get size(): number {
    const previous = this.previous?.size ?? 0;
    return this.current === undefined ? 2 * previous : previous;
  }

  /** What it is to somebody who selects: coming into a selection is ADDED, leaving it DELETED. */
  eventFor(selection: Selection): ObjectEvent | undefined {
    if (!selection.isSelective) return this.plainEvent();
    const was = this.previous !== undefined && selection.selects(this.previous);
    const is = this.current !== undefined && selection.selects(this.current);
    if (is) return was ? this.#asModified() : this.#asAdded();
    return was ? this.asDeleted() : undefined;
  }

  /** What it is to somebody who selects everything. */
  plainEvent(): ObjectEvent | undefined {
    if (this.current === undefined) return this.asDeleted();
    return this.previous === undefined ? this.#asAdded() : this.#asModified();
  }

  /** The change leaves the history, and with it what only history held. */
  release(): void {
    this.previous?.release();
    this.#deleted?.object.release();
  }

  #asAdded(): ObjectEvent | undefined {
    this.#added ??= this.current && new ObjectEvent('ADDED', this.current);
    return this.#added;
  }

  #asModified(): ObjectEvent | undefined {
    this.#modified ??= this.current && new ObjectEvent('MODIFIED', this.current, this);
    return this.#modified;
  }

  /** The last state, with the revision of the change: who resumes there does not see it again. */
  asDeleted(): ObjectEvent | undefined {
    this.#deleted ??=
      this.previous && new ObjectEvent('DELETED', this.previous.leaving(this.revision));
    return this.#deleted;
  }
}
