import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceType } from '../resource/resource-path.ts';

/** A change of one object, as handlers get it. */
export type Change<T extends KubeObject = KubeObject> =
  | { readonly kind: 'add'; readonly object: T }
  | { readonly kind: 'update'; readonly old: T; readonly object: T }
  /** The last known state; `finalStateUnknown` when the deletion itself was missed. */
  | { readonly kind: 'delete'; readonly object: T; readonly finalStateUnknown: boolean };

/** Values by which an object is found. Pure: the same object always has the same values. */
export type IndexFunction<T> = (object: T) => readonly string[];
export type Indexers<T, Index extends string> = Readonly<Record<Index, IndexFunction<T>>>;

/** The objects of one resource, as of some version. Objects are shared: copy an object before changing it. */
export interface ReadonlyStore<T extends KubeObject, Index extends string = never> {
  readonly size: number;
  /** By `namespace/name`, or `name` for objects without a namespace. */
  get(key: string): T | undefined;
  keys(): IterableIterator<string>;
  list(): T[];
  /** The objects with this value of the indexer. */
  byIndex(index: Index | 'namespace', value: string): T[];
  indexValues(index: Index | 'namespace'): string[];
}

/** `namespace/name`, or `name` for objects without a namespace. */
export function objectKey({ metadata }: KubeObject): string {
  const { name = '', namespace } = metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Throws for an object that could be taken for another one: without a name, without a namespace though its kind is
 * namespaced, or with one though its kind is cluster-scoped. Servers do not send such objects.
 */
export function requireKey({ metadata }: KubeObject, type: ResourceType | undefined): void {
  const { name, namespace } = metadata ?? {};
  if (!name) throw new Error('the server sent an object without a name');
  if (type === undefined || type.namespaced === Boolean(namespace)) return;
  throw new Error(
    type.namespaced
      ? `the server sent ${type.plural} ${JSON.stringify(name)} without a namespace`
      : `the server sent ${type.plural} ${JSON.stringify(name)} in a namespace, and they have none`,
  );
}

export class ObjectStore<T extends KubeObject, Index extends string = never>
  implements ReadonlyStore<T, Index>
{
  readonly #objects = new Map<string, T>();
  readonly #indexes: ReadonlyMap<string, ObjectIndex<T>>;

  constructor(indexers: Indexers<T, Index>) {
    const functions: Record<string, IndexFunction<T>> = {
      namespace: ({ metadata }) => [metadata.namespace ?? ''],
      ...indexers,
    };
    this.#indexes = new Map(
      Object.entries(functions).map(([name, values]) => [name, new ObjectIndex(values)]),
    );
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  byIndex(index: Index | 'namespace', value: string): T[] {
    const objects: T[] = [];
    for (const key of this.#index(index).keys(value)) {
      const object = this.#objects.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  indexValues(index: Index | 'namespace'): string[] {
    return this.#index(index).values();
  }

  /** Adds or replaces an object. Nothing changes when this version is in the store already. */
  put(object: T, isSame: SameObject = sameVersion): Change<T>[] {
    const key = objectKey(object);
    const old = this.#objects.get(key);
    if (old !== undefined && isSame(old, object)) return [];
    this.#set(key, object);
    if (old === undefined) return [{ kind: 'add', object }];
    if (old.metadata.uid === object.metadata.uid) return [{ kind: 'update', old, object }];
    // Another object of the same name: the deletion of the old one was missed.
    return [
      { kind: 'delete', object: old, finalStateUnknown: true },
      { kind: 'add', object },
    ];
  }

  /** Removes an object. `object` is its last state. */
  remove(object: T): Change<T>[] {
    const key = objectKey(object);
    if (!this.#delete(key)) return [];
    return [{ kind: 'delete', object, finalStateUnknown: false }];
  }

  /**
   * Replaces all objects, step by step while the changes are read. Missing objects have been deleted without an event.
   */
  *replace(objects: readonly T[], isSame: SameObject = sameVersion): Generator<Change<T>, void> {
    const retained = new Set(objects.map(objectKey));
    for (const [key, object] of [...this.#objects]) {
      if (retained.has(key)) continue;
      this.#delete(key);
      yield { kind: 'delete', object, finalStateUnknown: true };
    }
    for (const object of objects) yield* this.put(object, isSame);
  }

  #index(name: string): ObjectIndex<T> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index ${JSON.stringify(name)}`);
    return index;
  }

  /** Indexers run first: one that throws leaves everything unchanged. */
  #set(key: string, object: T): void {
    const prepared = [...this.#indexes.values()].map((index) => [index, index.of(object)] as const);
    this.#objects.set(key, object);
    for (const [index, values] of prepared) index.set(key, values);
  }

  #delete(key: string): boolean {
    if (!this.#objects.delete(key)) return false;
    for (const index of this.#indexes.values()) index.set(key, []);
    return true;
  }
}

export type SameObject = (a: KubeObject, b: KubeObject) => boolean;

/** Within one history of a server equal versions mean equal objects. */
export function sameVersion(a: KubeObject, b: KubeObject): boolean {
  const { uid, resourceVersion } = a.metadata;
  return resourceVersion === b.metadata.resourceVersion && uid === b.metadata.uid;
}

/** Across two histories equal versions mean nothing, and only the content is compared. */
export function sameContent(a: KubeObject, b: KubeObject): boolean {
  return isDeepStrictEqual(a, b);
}

class ObjectIndex<T> {
  readonly of: IndexFunction<T>;
  readonly #keysByValue = new Map<string, Set<string>>();
  readonly #valuesByKey = new Map<string, readonly string[]>();

  constructor(of: IndexFunction<T>) {
    this.of = of;
  }

  keys(value: string): Iterable<string> {
    return this.#keysByValue.get(value) ?? [];
  }

  values(): string[] {
    return [...this.#keysByValue.keys()];
  }

  set(key: string, values: readonly string[]): void {
    for (const value of this.#valuesByKey.get(key) ?? []) this.#leave(value, key);
    if (values.length === 0) this.#valuesByKey.delete(key);
    else this.#valuesByKey.set(key, values);
    for (const value of values) {
      const keys = this.#keysByValue.get(value);
      if (keys === undefined) this.#keysByValue.set(value, new Set([key]));
      else keys.add(key);
    }
  }

  #leave(value: string, key: string): void {
    const keys = this.#keysByValue.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByValue.delete(value);
  }
}
