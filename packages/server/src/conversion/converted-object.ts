import type { KubeObject } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import { insertResourceVersion } from '../watch-cache/splice.ts';
import type { Readable, Representation } from '../watch-cache/types.ts';
import type { StoredForm } from './stored-form.ts';

/** Memory of a parsed object and its JSON, as a multiple of the bytes of its source. */
const MEMORY_FACTOR = 7;

/**
 * Stored objects converted to another version. They are cached with their source, and so are their representations: all
 * of it is evicted together.
 */
export class ConvertedObjects {
  readonly form: StoredForm;
  readonly #representation: Representation<ConvertedObject>;
  readonly #counterparts = new WeakMap<object, object>();

  constructor(form: StoredForm) {
    this.form = form;
    this.#representation = {
      make: () => {
        throw new Error('what somebody else converts cannot be made at once');
      },
      bytes: ({ sourceBytes }) => MEMORY_FACTOR * sourceBytes,
    };
  }

  get(source: Readable): Readable | undefined {
    return source.known?.(this.#representation);
  }

  add(source: Readable, object: KubeObject): Readable {
    const converted = new ConvertedObject(object, {
      form: this.form,
      source,
      counterpart: (representation) => this.#counterpart(representation),
    });
    source.keep?.(this.#representation, converted);
    return converted;
  }

  /** The key under which the source caches a representation of the converted object. */
  #counterpart<T extends object>(representation: Representation<T>): Representation<T> {
    const known = this.#counterparts.get(representation);
    // A counterpart has the type of its representation.
    if (known !== undefined) return known as Representation<T>;
    const { make, bytes } = representation;
    const counterpart: Representation<T> = { make, bytes };
    this.#counterparts.set(representation, counterpart);
    return counterpart;
  }
}

interface ConvertedOptions {
  readonly form: StoredForm;
  readonly source: Readable;
  counterpart<T extends object>(representation: Representation<T>): Representation<T>;
}

class ConvertedObject implements Readable {
  readonly #object: KubeObject;
  readonly #options: ConvertedOptions;
  #bytes: Uint8Array | undefined;

  constructor(object: KubeObject, options: ConvertedOptions) {
    this.#object = object;
    this.#options = options;
  }

  get sourceBytes(): number {
    return this.#options.source.bytes.byteLength;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= bytesWithRevision(this.#options.form, this.#object);
    return this.#bytes;
  }

  object(): KubeObject {
    return this.#object;
  }

  derived<T extends object>(representation: Representation<T>): T {
    const { source, counterpart } = this.#options;
    const sourceRepresentation = counterpart(representation);
    const known = source.known?.(sourceRepresentation);
    if (known !== undefined) return known;
    const value = representation.make(this);
    source.keep?.(sourceRepresentation, value);
    return value;
  }
}

/** The result of a dry-run create has no resourceVersion. */
export function bytesWithRevision(form: StoredForm, object: KubeObject): Uint8Array {
  const { resourceVersion } = object.metadata;
  const bytes = form.encode(object);
  if (!resourceVersion) return bytes;
  return insertResourceVersion(bytes, form.head.length, Number(resourceVersion) as Revision);
}
