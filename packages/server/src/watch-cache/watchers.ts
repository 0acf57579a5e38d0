import type { ChangeRecord, ObjectEvent } from './change-record.ts';
import { type FieldIndex, indexedValue } from './field-index.ts';
import type { Selection } from './selection.ts';

/** A watcher that receives changes as they happen. */
export interface LiveWatcher {
  readonly selection: Selection;
  /** `event` is the event of the change without selectors, made once for all watchers. */
  offer(record: ChangeRecord, event: ObjectEvent): void;
}

type Group = Set<LiveWatcher>;

/**
 * The watchers of one resource by their selection, so that a change is offered only to those it may concern: thousands
 * that watch other namespaces, other objects or other values of an indexed field cost nothing.
 */
export class Watchers {
  readonly #prefix: string;
  readonly #indexed: FieldIndex;
  readonly #everything: Group = new Set();
  readonly #byPath = new Map<string, Group>();
  readonly #byField = new Map<string, Map<string, Group>>();

  constructor(prefix: string, indexed: FieldIndex) {
    this.#prefix = prefix;
    this.#indexed = indexed;
  }

  /** Returns the function that removes the watcher. */
  add(watcher: LiveWatcher): () => void {
    const { path, where, isExact } = watcher.selection;
    // An indexed field narrows more than a namespace does, and a name more than both.
    if (where !== undefined && !isExact && this.#indexed.has(where.field)) {
      return this.#addByField(watcher, where);
    }
    if (path !== '') return join(this.#byPath, path, watcher);
    this.#everything.add(watcher);
    return () => this.#everything.delete(watcher);
  }

  dispatch(record: ChangeRecord): void {
    const event = record.plainEvent();
    if (event === undefined) return;
    for (const watcher of this.#everything) watcher.offer(record, event);
    if (this.#byPath.size > 0) this.#dispatchByPath(record, event);
    for (const [field, values] of this.#byField) {
      for (const watcher of concerned(record, field, values)) {
        if (watcher.selection.covers(record.key)) watcher.offer(record, event);
      }
    }
  }

  #dispatchByPath(record: ChangeRecord, event: ObjectEvent): void {
    const path = record.key.slice(this.#prefix.length);
    offerAll(this.#byPath.get(path), record, event);
    const slash = path.indexOf('/');
    if (slash !== -1) offerAll(this.#byPath.get(path.slice(0, slash + 1)), record, event);
  }

  #addByField(watcher: LiveWatcher, { field, value }: { field: string; value: string }) {
    const values = this.#byField.get(field) ?? new Map<string, Group>();
    this.#byField.set(field, values);
    const leave = join(values, value, watcher);
    return () => {
      leave();
      if (values.size === 0 && this.#byField.get(field) === values) this.#byField.delete(field);
    };
  }
}

/** The watchers of the value that a field had before the change, or has after it. */
function concerned(
  { previous, current }: ChangeRecord,
  field: string,
  values: ReadonlyMap<string, Group>,
): Iterable<LiveWatcher> {
  const was = previous && indexedValue(previous, field);
  const is = current && indexedValue(current, field);
  const before = (was !== undefined && values.get(was)) || [];
  if (was === is) return before;
  return [...before, ...((is !== undefined && values.get(is)) || [])];
}

function offerAll(group: Group | undefined, record: ChangeRecord, event: ObjectEvent): void {
  if (group === undefined) return;
  for (const watcher of group) watcher.offer(record, event);
}

function join(groups: Map<string, Group>, name: string, watcher: LiveWatcher): () => void {
  const group = groups.get(name) ?? new Set();
  groups.set(name, group);
  group.add(watcher);
  return () => {
    group.delete(watcher);
    if (group.size === 0 && groups.get(name) === group) groups.delete(name);
  };
}
