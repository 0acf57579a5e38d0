import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import { ABSENT } from '@tributary/storage';
import type { StoredLayout } from '../definition/backing.ts';
import { ProjectionMistake } from './errors.ts';

/** Metadata that an object can do without. */
export type OptionalMetadata =
  | 'annotations'
  | 'generateName'
  | 'generation'
  | 'labels'
  | 'managedFields'
  | 'ownerReferences';

interface Projection<Item> {
  readonly idOf: (item: Item) => string;
  readonly toObject: (item: Item) => object | undefined;
  readonly toItem: (object: KubeObject, previous: Item | undefined) => Item;
  readonly cannotHold: readonly OptionalMetadata[];
}

/** An item as the store presents it. */
interface ProjectedValue {
  readonly key: string;
  readonly value: Uint8Array;
}

/** The two functions of an author, with checks of their results. */
export class Projector<Item> {
  readonly idOf: (item: Item) => string;
  readonly #layout: StoredLayout;
  readonly #projection: Projection<Item>;

  constructor(layout: StoredLayout, projection: Projection<Item>) {
    this.idOf = projection.idOf;
    this.#layout = layout;
    this.#projection = projection;
  }

  /** Undefined for an item that is not part of the projection. */
  project(item: Item): ProjectedValue | undefined {
    const object = this.#projection.toObject(item);
    if (object === undefined) return undefined;
    const projected = object as KubeObject;
    return { key: this.#keyOf(projected), value: this.#layout.encode(projected) };
  }

  /**
   * The item to write for an object. Metadata that would be lost is detected before the write: without its finalizers,
   * for example, an object would be deleted too early.
   */
  item({ key, value }: ProjectedValue, previous: Item | undefined): Item {
    const object = this.#decode(value);
    const item = this.#projection.toItem(object, previous);
    if (previous !== undefined && this.idOf(item) !== this.idOf(previous)) {
      throw new ProjectionMistake(`${key}: an update must not change which item it is`);
    }
    const back = this.project(item);
    if (back?.key !== key) {
      throw new ProjectionMistake(
        `${key}: its item is ${back ? `that of ${back.key}` : 'none of ours'}`,
      );
    }
    const lost = this.#lostMetadata(object.metadata, this.#decode(back.value).metadata);
    if (lost !== undefined) {
      throw new ProjectionMistake(`${key}: metadata.${lost} does not come back from its item`);
    }
    return item;
  }

  #decode(value: Uint8Array): KubeObject {
    const { metadata, ...object } = this.#layout.decode(value, ABSENT);
    const { resourceVersion: _revision, ...rest } = metadata;
    return { ...object, metadata: rest } as KubeObject;
  }

  #lostMetadata(sent: ObjectMeta, back: ObjectMeta): string | undefined {
    const optional = new Set<string>(this.#projection.cannotHold);
    return [...new Set([...Object.keys(sent), ...Object.keys(back)])].find((field) => {
      const [before, after] = [Reflect.get(sent, field), Reflect.get(back, field)];
      if (optional.has(field) || (isEmpty(before) && isEmpty(after))) return false;
      return !isDeepStrictEqual(before, after);
    });
  }

  #keyOf({ metadata }: KubeObject): string {
    const { prefix, namespaced } = this.#layout;
    const { name, namespace } = metadata;
    if (!name || (namespaced && !namespace)) {
      throw new ProjectionMistake(`an object of ${prefix} has no name or no namespace`);
    }
    return namespaced ? `${prefix}${namespace}/${name}` : prefix + name;
  }
}

/** Absent, null, and an empty list or map are the same to clients. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}
