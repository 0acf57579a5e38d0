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

/** How objects get from one version to another: at once, or by asking somebody. */
export type VersionConversion =
  | { readonly kind: 'local'; readonly convert: (object: KubeObject) => KubeObject }
  | {
      readonly kind: 'remote';
      readonly convert: (objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>;
    };

/**
 * Stored objects, each of whichever version it was stored in, as they look in one version. What is made for that is kept
 * with the object as long as memory allows, and made once for all who ask at the same time.
 */
export interface VersionConverter {
  /** Whether somebody must be asked for objects of some other version. */
  readonly isRemote: boolean;
  /** As many objects in the same order; those of other versions are converted in one go, or a few when they are many. */
  fromStorage(
    objects: readonly Readable[],
    waiting: SignalSource,
  ): MaybePromise<readonly Readable[]>;
  /** An object of this version in the version that is stored. */
  toStorage(object: KubeObject, waiting: SignalSource): Promise<KubeObject>;
  /** An object in any known version in another one; nothing of it is kept. */
  convert(object: KubeObject, to: string, waiting: SignalSource): Promise<KubeObject>;
  /** An object of this version that nobody keeps, as it is answered. */
  toReadable(object: KubeObject): Readable;
}

export interface VersionConverterOptions {
  /** As in `apiVersion`. */
  readonly served: string;
  readonly stored: string;
  /** How objects of every known version lie in the store, by `apiVersion`. */
  readonly forms: ReadonlyMap<string, StoredForm>;
  readonly conversionBetween: (versions: ConvertedVersions) => VersionConversion;
}

/** So many are converted here between two glances at the clock. */
const STEP = 32;

/** What one call is given at most: a list of ten thousand would be more than others take in one request. */
const CALL_OBJECTS = 500;
const CALL_BYTES = 4 * 2 ** 20;
/** Of one answer. */
const CALLS_AT_ONCE = 4;

export function versionConverter({
  served,
  stored,
  forms,
  conversionBetween,
}: VersionConverterOptions): VersionConverter {
  const form = formOf(forms, served);
  const lifted = new ConvertedObjects(form);
  /** What is under way, by what it is made of. */
  const pending = new WeakMap<Readable, Promise<Readable>>();
  const versionOf = ({ bytes }: Readable): string => {
    if (startsWith(bytes, form.head)) return served;
    for (const [apiVersion, { head }] of forms) if (startsWith(bytes, head)) return apiVersion;
    throw internalError(new Error('the object is of a version that is gone'));
  };
  /** Answers when the call is through, however it ended. */
  const askFor = (
    sources: readonly Readable[],
    convert: (objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>,
    turn: Promise<unknown>,
  ): Promise<unknown> => {
    const asked = turn.then(() =>
      convert(sources.map((source) => withoutRevision(source.object()))),
    );
    for (const [index, source] of sources.entries()) {
      const one = asked.then((converted) => {
        const object = nth(converted, index, sources.length);
        return lifted.add(source, withRevisionOf(source.object(), object));
      });
      pending.set(source, one);
      const settle = () => void pending.delete(source);
      one.then(settle, settle);
    }
    return asked.catch(() => undefined);
  };
  const askForAll = (
    sources: readonly Readable[],
    convert: (objects: readonly KubeObject[]) => Promise<readonly KubeObject[]>,
  ): void => {
    const turns: Promise<unknown>[] = [];
    for (const [index, call] of callsFor(sources).entries()) {
      turns.push(askFor(call, convert, turns[index - CALLS_AT_ONCE] ?? Promise.resolve()));
    }
  };
  const liftHere = (source: Readable, convert: (object: KubeObject) => KubeObject): Readable =>
    lifted.add(source, convertHere(source.object(), convert));

  return {
    get isRemote() {
      return [...forms.keys()].some(
        (from) => from !== served && conversionBetween({ from, to: served }).kind === 'remote',
      );
    },
    fromStorage: (objects, waiting) => {
      if (objects.every(({ bytes }) => startsWith(bytes, form.head))) return objects;
      const others = Map.groupBy(new Set(objects), versionOf);
      others.delete(served);
      if (others.size === 0) return objects;
      const made = new Map<Readable, Readable>();
      const waits: Promise<unknown>[] = [];
      for (const [from, sources] of others) {
        const missing = sources.filter((source) => {
          const known = lifted.get(source);
          if (known !== undefined) made.set(source, known);
          return known === undefined;
        });
        const how = conversionBetween({ from, to: served });
        if (how.kind === 'remote') {
          const unasked = missing.filter((source) => !pending.has(source));
          askForAll(unasked, how.convert);
          for (const source of missing) {
            const one = pending.get(source) ?? Promise.reject(new Error('nobody was asked'));
            waits.push(one.then((object) => made.set(source, object)));
          }
        } else if (missing.length <= STEP) {
          for (const source of missing) made.set(source, liftHere(source, how.convert));
        } else {
          waits.push(inTurns(missing, (source) => made.set(source, liftHere(source, how.convert))));
        }
      }
      const all = () => objects.map((object) => made.get(object) ?? object);
      if (waits.length === 0) return all();
      return waitFor(Promise.all(waits), waiting).then(all);
    },
    toStorage: (object, waiting) => convertOne(object, stored, waiting),
    convert: convertOne,
    toReadable: (object) => readableOf(bytesWithRevision(form, object), () => object),
  };

  async function convertOne(
    object: KubeObject,
    to: string,
    waiting: SignalSource,
  ): Promise<KubeObject> {
    if (object.apiVersion === to) return object;
    const how = conversionBetween({ from: object.apiVersion, to });
    if (how.kind === 'local') return convertHere(object, how.convert);
    const converted = await waitFor(how.convert([withoutRevision(object)]), waiting);
    return withRevisionOf(object, nth(converted, 0, 1));
  }
}

/** One call for all, unless they are very many. */
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

/** The client may leave; the work goes on for others, and its failure is then nobody's. */
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

function nth(converted: readonly KubeObject[], index: number, asked: number): KubeObject {
  const object = converted[index];
  if (object !== undefined && converted.length === asked) return object;
  const text = `a conversion was given ${asked} objects and gave ${converted.length} back`;
  throw internalError(new Error(text));
}

/** Conversions are about contents: as upstream, they never see which state of an object they are given. */
function withoutRevision(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === undefined ? object : { ...object, metadata };
}

function withRevisionOf({ metadata }: KubeObject, converted: KubeObject): KubeObject {
  const { resourceVersion } = metadata;
  if (resourceVersion === undefined) return converted;
  return { ...converted, metadata: { ...converted.metadata, resourceVersion } };
}
