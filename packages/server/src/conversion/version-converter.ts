import { internalError, type KubeObject } from '@tributary/apimachinery';
import type { ConvertedVersions } from '../definition/conversion.ts';
import type { SignalSource } from '../request/cancellation.ts';
import type { MaybePromise } from '../request/maybe-promise.ts';
import { orAborted, Turn } from '../watch-cache/event-loop.ts';
import { startsWith } from '../watch-cache/splice.ts';
import type { Readable } from '../watch-cache/types.ts';
import { bytesWithRevision, ConvertedObjects } from './converted-object.ts';
import { readableOf } from './readable.ts';
import type { StoredForm } from './stored-form.ts';

/** A conversion between two versions, in this process or by a call such as to a webhook. */
export type VersionConversion =
  | { readonly kind: 'local'; readonly convert: (object: KubeObject) => KubeObject }
  | { readonly kind: 'remote'; readonly convert: RemoteCall };

type RemoteCall = (objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>;

interface VersionConverterOptions {
  /** As in `apiVersion`. */
  readonly served: string;
  readonly stored: string;
  /** The stored form of objects of every known version, by `apiVersion`. */
  readonly forms: ReadonlyMap<string, StoredForm>;
  readonly conversionBetween: (versions: ConvertedVersions) => VersionConversion;
}

/** Objects converted locally between two reads of the clock. */
const STEP = 32;

/** Bounds of one remote call: a list of ten thousand objects is more than most webhooks accept in one request. */
const CALL_OBJECTS = 500;
const CALL_BYTES = 4 * 2 ** 20;
/** Concurrent remote calls for one response. */
const CALLS_AT_ONCE = 4;

/**
 * Converts objects between the versions in which they are stored and one served version. Converted objects are cached with
 * their source as long as memory allows, and concurrent requests share one conversion.
 */
export class VersionConverter {
  readonly #options: VersionConverterOptions;
  readonly #form: StoredForm;
  readonly #converted: ConvertedObjects;
  /** Remote conversions in progress, by source. */
  readonly #pending = new WeakMap<Readable, Promise<Readable>>();

  constructor(options: VersionConverterOptions) {
    this.#options = options;
    this.#form = formOf(options.forms, options.served);
    this.#converted = new ConvertedObjects(this.#form);
  }

  /** Whether objects of some other version need a remote call. */
  get isRemote(): boolean {
    const { forms, served, conversionBetween } = this.#options;
    return [...forms.keys()].some(
      (from) => from !== served && conversionBetween({ from, to: served }).kind === 'remote',
    );
  }

  /** As many objects, in the same order; those of other versions are converted in as few remote calls as the bounds allow. */
  fromStorage(
    objects: readonly Readable[],
    cancellation: SignalSource,
  ): MaybePromise<readonly Readable[]> {
    const { served } = this.#options;
    if (objects.every(({ bytes }) => startsWith(bytes, this.#form.head))) return objects;
    const others = Map.groupBy(new Set(objects), (object) => this.#versionOf(object));
    others.delete(served);
    if (others.size === 0) return objects;
    const results = new Map<Readable, Readable>();
    const waits = [...others].flatMap(([from, sources]) =>
      this.#convertSources(from, sources, results),
    );
    const inOrder = () => objects.map((object) => results.get(object) ?? object);
    if (waits.length === 0) return inOrder();
    return waitFor(Promise.all(waits), cancellation).then(inOrder);
  }

  /** Converts an object of the served version to the storage version. */
  toStorage(object: KubeObject, cancellation: SignalSource): Promise<KubeObject> {
    return this.convert(object, this.#options.stored, cancellation);
  }

  /** Converts an object between any two known versions, without caching it. */
  async convert(object: KubeObject, to: string, cancellation: SignalSource): Promise<KubeObject> {
    if (object.apiVersion === to) return object;
    const conversion = this.#options.conversionBetween({ from: object.apiVersion, to });
    if (conversion.kind === 'local') return convertHere(object, conversion.convert);
    const converted = await waitFor(conversion.convert([withoutRevision(object)]), cancellation);
    return withRevisionOf(object, nth(converted, 0, 1));
  }

  /** An object of the served version that is not cached, such as the result of a write. */
  toReadable(object: KubeObject): Readable {
    return readableOf(bytesWithRevision(this.#form, object), () => object);
  }

  #versionOf({ bytes }: Readable): string {
    const { served, forms } = this.#options;
    if (startsWith(bytes, this.#form.head)) return served;
    for (const [apiVersion, { head }] of forms) if (startsWith(bytes, head)) return apiVersion;
    throw internalError(new Error('the object is of a version that is gone'));
  }

  /** Adds the converted objects to `results`, after the returned promises where they are not available at once. */
  #convertSources(
    from: string,
    sources: readonly Readable[],
    results: Map<Readable, Readable>,
  ): Promise<unknown>[] {
    const missing = sources.filter((source) => {
      const cached = this.#converted.get(source);
      if (cached !== undefined) results.set(source, cached);
      return cached === undefined;
    });
    const conversion = this.#options.conversionBetween({ from, to: this.#options.served });
    if (conversion.kind === 'remote') {
      return this.#convertRemotely(missing, conversion.convert).map((pending, index) =>
        pending.then((object) => results.set(missing[index] as Readable, object)),
      );
    }
    const convertOne = (source: Readable): void => {
      const object = convertHere(source.object(), conversion.convert);
      results.set(source, this.#converted.add(source, object));
    };
    if (missing.length > STEP) return [inTurns(missing, convertOne)];
    missing.forEach(convertOne);
    return [];
  }

  /** One promise for each source; sources that are being converted already join that call. */
  #convertRemotely(sources: readonly Readable[], convert: RemoteCall): Promise<Readable>[] {
    const calls = callsFor(sources.filter((source) => !this.#pending.has(source)));
    const ended: Promise<unknown>[] = [];
    for (const [index, call] of calls.entries()) {
      ended.push(this.#startCall(call, convert, ended[index - CALLS_AT_ONCE] ?? Promise.resolve()));
    }
    return sources.map(
      (source) => this.#pending.get(source) ?? Promise.reject(new Error('no call was started')),
    );
  }

  /** Resolves when the call has ended, also when it failed. */
  #startCall(
    sources: readonly Readable[],
    convert: RemoteCall,
    previous: Promise<unknown>,
  ): Promise<unknown> {
    const call = previous.then(() =>
      convert(sources.map((source) => withoutRevision(source.object()))),
    );
    for (const [index, source] of sources.entries()) {
      const pending = call.then((converted) => {
        const object = nth(converted, index, sources.length);
        return this.#converted.add(source, withRevisionOf(source.object(), object));
      });
      this.#pending.set(source, pending);
      const remove = () => void this.#pending.delete(source);
      pending.then(remove, remove);
    }
    return call.catch(() => undefined);
  }
}

/** Splits sources into calls within CALL_OBJECTS and CALL_BYTES. */
function callsFor(sources: readonly Readable[]): Readable[][] {
  const calls: Readable[][] = [];
  let call: Readable[] = [];
  let bytes = 0;
  for (const source of sources) {
    const size = source.bytes.byteLength;
    if (call.length === 0 || call.length === CALL_OBJECTS || bytes + size > CALL_BYTES) {
      call = [];
      calls.push(call);
      bytes = 0;
    }
    call.push(source);
    bytes += size;
  }
  return calls;
}

function convertHere(object: KubeObject, convert: (object: KubeObject) => KubeObject): KubeObject {
  return withRevisionOf(object, convert(withoutRevision(object)));
}

function formOf(forms: ReadonlyMap<string, StoredForm>, apiVersion: string): StoredForm {
  const form = forms.get(apiVersion);
  if (form === undefined) throw new Error(`${apiVersion} is not among the versions`);
  return form;
}

/** Stops waiting when the client disconnects; the conversion continues for other requests. */
function waitFor<T>(work: Promise<T>, { signal }: SignalSource): Promise<T> {
  work.catch(() => undefined);
  return orAborted(work, signal);
}

async function inTurns(
  sources: readonly Readable[],
  visit: (source: Readable) => void,
): Promise<void> {
  const turn = new Turn();
  for (const [index, source] of sources.entries()) {
    if (index % STEP === STEP - 1 && turn.isOver) await turn.next();
    visit(source);
  }
}

function nth(converted: readonly KubeObject[], index: number, requested: number): KubeObject {
  const object = converted[index];
  if (object !== undefined && converted.length === requested) return object;
  const text = `a conversion of ${requested} objects returned ${converted.length}`;
  throw internalError(new Error(text));
}

/** As upstream, conversions do not see the resourceVersion of an object. */
function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === undefined ? object : { ...object, metadata };
}

function withRevisionOf({ metadata }: KubeObject, converted: KubeObject): KubeObject {
  const { resourceVersion } = metadata;
  if (resourceVersion === undefined) return converted;
  return { ...converted, metadata: { ...converted.metadata, resourceVersion } };
}
