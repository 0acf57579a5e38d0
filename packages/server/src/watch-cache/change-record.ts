import type { Revision } from '@tributary/storage';
import type { ResourceObject } from './cached-object.ts';
import type { ChangeType } from './frames.ts';
import type { Selection } from './selection.ts';
import type { Framing } from './types.ts';

/** The event of one object for watchers, shared by all that receive the same. */
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

/** One change of one object, from which the event of each selection is derived. */
export class ChangeRecord {
  readonly revision: Revision;
  /** The time at which this process received it. */
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

  /** Memory that only the history holds: the replaced value, and for a deletion also its last state. */
  get size(): number {
    const previous = this.previous?.size ?? 0;
    return this.current === undefined ? 2 * previous : previous;
  }

  /** The event for a selection: an object that enters a selection is ADDED, one that leaves it DELETED. */
  eventFor(selection: Selection): ObjectEvent | undefined {
    if (!selection.isSelective) return this.plainEvent();
    const was = this.previous !== undefined && selection.selects(this.previous);
    const is = this.current !== undefined && selection.selects(this.current);
    if (is) return was ? this.#asModified() : this.#asAdded();
    return was ? this.asDeleted() : undefined;
  }

  /** The event for a watcher without selectors. */
  plainEvent(): ObjectEvent | undefined {
    if (this.current === undefined) return this.asDeleted();
    return this.previous === undefined ? this.#asAdded() : this.#asModified();
  }

  /** Called when the change leaves the history; releases the values that only the history held. */
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

  /** The last state with the revision of the change, so that a watch resumed there does not repeat it. */
  asDeleted(): ObjectEvent | undefined {
    this.#deleted ??=
      this.previous && new ObjectEvent('DELETED', this.previous.leaving(this.revision));
    return this.#deleted;
  }
}
