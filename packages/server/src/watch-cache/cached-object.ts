import { internalError, type KubeObject, parseJson, storeReadError } from '@tributary/apimachinery';
import type { Revision, Stored } from '@tributary/storage';
import type { ByteSlabs } from './byte-slabs.ts';
import type { DerivedBytes, DerivedOwner } from './derived-bytes.ts';
import type { ChangeType, FrameCatalog } from './frames.ts';
import { readLabels } from './labels.ts';
import { insertResourceVersion, replaceResourceVersion } from './splice.ts';
import { currentBytes, headLength, isOutdated } from './stored-bytes.ts';
import type { CachedObject, CachedResource, Framing, Representation } from './types.ts';

/** State shared by the objects of one filled cache. */
export interface ObjectContext {
  readonly resource: CachedResource;
  readonly frames: FrameCatalog;
  /**
   * The account of derived bytes; undefined for objects outside of a cache, which live only as long as the response
   * that uses them.
   */
  derivedBytes: DerivedBytes<ResourceObject> | undefined;
  /** The memory of the bytes; undefined outside of a cache too. */
  readonly slabs?: ByteSlabs;
}

interface Derivation {
  readonly representation: object | typeof PARSED;
  readonly value: object;
}

/**
 * A stored value, or the error of decoding it: the error takes the place of the object, so that only reads of this
 * object fail.
 */
type Bytes = Uint8Array | Error;

/** Memory beside the bytes, measured for an object of a large cache: see bench/watch-cache-memory.ts. */
const OBJECT_BYTES = 750;

/** A parsed object takes about this many times its JSON. */
const PARSED_FACTOR = 4;

/** Stands for the parsed object among the representations. */
const PARSED = Symbol('parsed');

/**
 * One cached object. Bytes are made once; other representations are made on demand. Labels and fields are then cached
 * too, because selectors are evaluated repeatedly; the parsed object is evictable like other derived values.
 */
export class ResourceObject implements CachedObject, DerivedOwner {
  readonly key: string;
  readonly revision: Revision;
  readonly stale: boolean;
  #bytes: Bytes;
  readonly #context: ObjectContext;
  #labels: Readonly<Record<string, string>> | undefined;
  #fields: Readonly<Record<string, string>> | undefined;
  #derived: Derivation[] | undefined;

  constructor(context: ObjectContext, identity: Identity, bytes: Bytes) {
    this.key = identity.key;
    this.revision = identity.revision;
    this.stale = identity.stale === true;
    this.#bytes = bytes;
    this.#context = context;
  }

  get bytes(): Uint8Array {
    if (this.#bytes instanceof Error) throw this.#bytes;
    return this.#bytes;
  }

  get labels(): Readonly<Record<string, string>> {
    this.#labels ??= readLabels(this.bytes, headLength(this.#context.resource, this.bytes));
    return this.#labels;
  }

  get fields(): Readonly<Record<string, string>> {
    const { prefix, fieldsOf } = this.#context.resource;
    if (fieldsOf === undefined) return nameFields(this.key, prefix);
    // Parsed without caching: a selector over a large list would evict everything else.
    this.#fields ??= { ...nameFields(this.key, prefix), ...fieldsOf(parse(this)) };
    return this.#fields;
  }

  /** The estimated memory of the object. */
  get size(): number {
    return OBJECT_BYTES + (this.#bytes instanceof Error ? 0 : this.#bytes.byteLength);
  }

  object(): KubeObject {
    const known = this.#find(PARSED);
    if (known !== undefined) return known as KubeObject;
    const object = parse(this);
    this.#keep({ representation: PARSED, value: object }, PARSED_FACTOR * this.bytes.byteLength);
    return object;
  }

  derived<T extends object>(representation: Representation<T>): T {
    const known = this.#find(representation);
    // A representation's cached value has the representation's own type.
    if (known !== undefined) return known as T;
    const value = representation.make(this);
    this.#keep({ representation, value }, representation.bytes(value));
    return value;
  }

  known<T extends object>(representation: Representation<T>): T | undefined {
    return this.#find(representation) as T | undefined;
  }

  keep<T extends object>(representation: Representation<T>, value: T): void {
    this.#keep({ representation, value }, representation.bytes(value));
  }

  frame<T extends Uint8Array>(type: ChangeType, framing: Framing<T>): T {
    return this.derived(this.#context.frames.of(framing, type));
  }

  dropDerived(): void {
    this.#derived = undefined;
  }

  /** Called when neither the cache nor its history holds the object; responses in progress may still use it. */
  release(): void {
    const { derivedBytes, slabs } = this.#context;
    derivedBytes?.forget(this);
    if (!(this.#bytes instanceof Error)) slabs?.release(this.#bytes);
  }

  /** Moves the bytes out of a sparse slab. Readers that already have the bytes keep the old ones. */
  tidy(): void {
    if (this.#bytes instanceof Error) return;
    this.#bytes = this.#context.slabs?.moved(this.#bytes) ?? this.#bytes;
  }

  isOf(context: ObjectContext): boolean {
    return this.#context === context;
  }

  /** The same state with the revision of its deletion. */
  leaving(revision: Revision): ResourceObject {
    const bytes =
      this.#bytes instanceof Error
        ? this.#bytes
        : replaceResourceVersion(
            this.#bytes,
            headLength(this.#context.resource, this.#bytes),
            revision,
          );
    const leaving = new ResourceObject(this.#context, { key: this.key, revision }, bytes);
    leaving.#labels = this.#labels;
    leaving.#fields = this.#fields;
    return leaving;
  }

  #find(representation: Derivation['representation']): object | undefined {
    if (this.#derived === undefined) return undefined;
    for (const known of this.#derived) {
      if (known.representation === representation) return known.value;
    }
    return undefined;
  }

  #keep(derivation: Derivation, bytes: number): void {
    this.#derived ??= [];
    this.#derived.push(derivation);
    this.#context.derivedBytes?.add(this, bytes);
  }
}

type Identity = Pick<Stored, 'key' | 'revision' | 'stale'>;

/** Decodes a stored value into a cached object. Never throws: decode errors surface at read time. */
export function decodeStored(
  context: ObjectContext,
  stored: Pick<Stored, 'key' | 'revision' | 'value' | 'stale' | 'unreadable'>,
): ResourceObject {
  const { key, revision } = stored;
  if (stored.unreadable)
    return new ResourceObject(context, { key, revision }, unreadable(key, stored.unreadable));
  const { value } = stored;
  try {
    const current = currentBytes(context.resource, value);
    const at = headLength(context.resource, current);
    const bytes = insertResourceVersion(current, at, revision, context.slabs?.allocate);
    const stale = stored.stale === true || isOutdated(context.resource, value, current);
    return new ResourceObject(context, { key, revision, stale }, bytes);
  } catch (error) {
    return new ResourceObject(context, stored, readError(stored, error));
  }
}

/** A valid object of a version that its definition no longer has is not corrupt, and must not be deletable as such. */
function readError({ key, value }: Pick<Stored, 'key' | 'value'>, cause: unknown): Error {
  if (!isJson(value)) return unreadable(key, cause);
  const why = cause instanceof Error ? cause.message : String(cause);
  return internalError(new Error(`unable to read the stored object ${key}: ${why}`, { cause }));
}

export function isJson(value: Uint8Array): boolean {
  try {
    parseJson(value);
    return true;
  } catch {
    return false; // Every intact stored value is JSON.
  }
}

function parse(object: ResourceObject): KubeObject {
  const { key, bytes } = object;
  try {
    // The store contains only objects: every value begins with the head of an object.
    return parseJson(bytes) as KubeObject;
  } catch (error) {
    throw unreadable(key, error);
  }
}

function unreadable(key: string, cause: unknown): Error {
  return storeReadError(key, cause instanceof Error ? cause : new Error(String(cause)));
}

/** Name and namespace are in the key. */
function nameFields(key: string, prefix: string): Readonly<Record<string, string>> {
  const slash = key.indexOf('/', prefix.length);
  return {
    'metadata.name': key.slice(slash === -1 ? prefix.length : slash + 1),
    'metadata.namespace': slash === -1 ? '' : key.slice(prefix.length, slash),
  };
}
