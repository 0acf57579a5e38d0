import type { Framing, Representation } from './types.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

type FrameRepresentations<T extends Uint8Array> = Readonly<Record<ChangeType, Representation<T>>>;

/** The size of a typed array and its buffer beside the bytes themselves. */
const BUFFER_BYTES = 350;

/**
 * A frame is a representation of an object and shared by watchers like a Table row: the frame of a change by all live
 * watchers, the frame of an initial object by all that start with it.
 */
export class FrameCatalog {
  readonly #known = new WeakMap<Framing<Uint8Array>, FrameRepresentations<Uint8Array>>();

  of<T extends Uint8Array>(framing: Framing<T>, type: ChangeType): Representation<T> {
    const known = this.#known.get(framing) ?? this.#add(framing);
    // Under each framing the catalog contains only what that framing makes.
    return known[type] as unknown as Representation<T>;
  }

  #add(framing: Framing<Uint8Array>): FrameRepresentations<Uint8Array> {
    const representations = {
      ADDED: frameRepresentation(framing, 'ADDED'),
      MODIFIED: frameRepresentation(framing, 'MODIFIED'),
      DELETED: frameRepresentation(framing, 'DELETED'),
    };
    this.#known.set(framing, representations);
    return representations;
  }
}

function frameRepresentation<T extends Uint8Array>(
  framing: Framing<T>,
  type: ChangeType,
): Representation<T> {
  return {
    make: (object) => framing.make(type, object),
    bytes: (frame) => frame.byteLength + BUFFER_BYTES,
  };
}
