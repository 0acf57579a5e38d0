import { type KubeObject, parseJson } from '@tributary/apimachinery';
import type { Revision, Stored } from '@tributary/storage';
import { convertOne } from '../conversion/convert-objects.ts';
import { readableOf } from '../conversion/readable.ts';
import type { StoredForm } from '../conversion/stored-form.ts';
import type { VersionConverter } from '../conversion/version-converter.ts';
import type { SignalSource } from '../request/cancellation.ts';
import { insertResourceVersion } from '../watch-cache/splice.ts';
import { currentBytes, headLength, isOutdated } from '../watch-cache/stored-bytes.ts';
import type { CachedResource, Readable } from '../watch-cache/types.ts';

/** Converts between stored values and the objects of a `ResourceStore`. */
export interface StoreCodec {
  encode(object: KubeObject, waiting: SignalSource): Promise<Uint8Array>;
  /** An object after it was encoded and stored, for the response; without a revision it was not stored. */
  written(encoded: Encoded, waiting: SignalSource): Promise<Readable>;
  /** An object of the cache. */
  cached(cached: Readable, waiting: SignalSource): Promise<Readable>;
  /** An object read from the store; `stale` when it differs from its stored form. */
  read(stored: Stored, waiting: SignalSource): Promise<ReadObject>;
  /** An object with its revision, for the response; it was not stored. */
  responseOf(object: KubeObject): Readable;
}

export interface Encoded {
  readonly object: KubeObject;
  readonly value: Uint8Array;
  readonly revision: Revision | undefined;
}

interface ReadObject {
  readonly readable: Readable;
  readonly stale: boolean;
}

/** For a store that works in the storage version. */
export function plainCodec(form: StoredForm, shape: CachedResource): StoreCodec {
  const written = ({ object, value, revision }: Encoded): Readable => {
    if (revision === undefined) return readableOf(value, () => object);
    const known = withRevision(object, revision);
    return readableOf(insertResourceVersion(value, form.head.length, revision), () => known);
  };
  return {
    encode: async (object) => form.encode(object),
    written: async (encoded) => written(encoded),
    cached: async (cached) => cached,
    read: async (stored) => readStored(shape, stored),
    responseOf: (object) => {
      const { resourceVersion } = object.metadata;
      const value = form.encode(object);
      return written({ object, value, revision: Number(resourceVersion) as Revision });
    },
  };
}

/** For a store that works in another version, or whose objects were stored in several. */
export function convertingCodec(
  converter: VersionConverter,
  form: StoredForm,
  shape: CachedResource,
): StoreCodec {
  const served = async (readable: Readable, waiting: SignalSource) =>
    convertOne(converter, readable, waiting);
  return {
    encode: async (object, waiting) => form.encode(await converter.toStorage(object, waiting)),
    // As upstream, the response is made from the stored object, so that it shows losses of the conversion.
    written: ({ value, revision }, waiting) => {
      const bytes =
        revision === undefined ? value : insertResourceVersion(value, form.head.length, revision);
      return served(readableOf(bytes, lazily(bytes)), waiting);
    },
    cached: served,
    read: async (stored, waiting) => {
      const { readable, stale } = readStored(shape, stored);
      return { readable: await served(readable, waiting), stale };
    },
    responseOf: (object) => converter.toReadable(object),
  };
}

function readStored(shape: CachedResource, stored: Stored): ReadObject {
  const { value, revision } = stored;
  const current = currentBytes(shape, value);
  const bytes = insertResourceVersion(current, headLength(shape, current), revision);
  const stale = (stored.stale ?? false) || isOutdated(shape, value, current);
  return { readable: readableOf(bytes, lazily(bytes)), stale };
}

function lazily(bytes: Uint8Array): () => KubeObject {
  let object: KubeObject | undefined;
  return () => {
    object ??= parseJson(bytes) as KubeObject;
    return object;
  };
}

export function withRevision(object: KubeObject, revision: Revision): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
