import type { GroupVersionKind, KubeObject } from '@tributary/apimachinery';
import { formatGroupVersion } from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import type { Conversion } from '../definition/conversion.ts';
import { insertResourceVersion } from '../watch-cache/splice.ts';
import type { Readable, Representation } from '../watch-cache/types.ts';
import { storedForm } from './stored-form.ts';
import { withType } from './with-type.ts';

/** Stored objects in one served version. */
export interface VersionView {
  /** JSON, encoded once per object and shared. */
  bytesOf(object: Readable): Uint8Array;
  /** Shared; must not be changed. */
  objectOf(object: Readable): KubeObject;
  /** Converts an object of this version to the storage version. */
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}

/** The storage version. */
export const storageView: VersionView = {
  bytesOf: ({ bytes }) => bytes,
  objectOf: (object) => object.object(),
  toStorage: (object) => object,
  fromStorage: (object) => object,
};

/** An object and its JSON in a version that is not stored. */
interface Converted {
  readonly object: KubeObject;
  readonly bytes: Uint8Array;
}

/** Memory of a parsed object, as a multiple of the bytes of its JSON. */
const PARSED_FACTOR = 6;

/** A version that is converted from the storage version and to it. */
export function convertedView(
  versions: { readonly served: GroupVersionKind; readonly stored: GroupVersionKind },
  { toStorage, fromStorage }: Conversion,
): VersionView {
  const served = typeMeta(versions.served);
  const stored = typeMeta(versions.stored);
  const form = storedForm(served.apiVersion, served.kind);
  const convert = (object: KubeObject) => withType(served, object, fromStorage(object));
  const converted: Representation<Converted> = {
    make: (readable) => {
      const object = convert(readable.object());
      return { object, bytes: bytesWithRevision(form.encode(object), form.head.length, object) };
    },
    bytes: ({ bytes }) => bytes.byteLength * (1 + PARSED_FACTOR),
  };
  return {
    bytesOf: (object) => object.derived(converted).bytes,
    objectOf: (object) => object.derived(converted).object,
    toStorage: (object) => withType(stored, object, toStorage(object)),
    fromStorage: convert,
  };
}

type TypeMeta = Pick<KubeObject, 'kind' | 'apiVersion'>;

function typeMeta(kind: GroupVersionKind): TypeMeta {
  return { kind: kind.kind, apiVersion: formatGroupVersion(kind) };
}

/** The result of a dry-run create has no resourceVersion. */
function bytesWithRevision(bytes: Uint8Array, at: number, { metadata }: KubeObject): Uint8Array {
  const { resourceVersion } = metadata;
  if (!resourceVersion) return bytes;
  return insertResourceVersion(bytes, at, Number(resourceVersion) as Revision);
}
