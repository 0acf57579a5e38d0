import { isDeepStrictEqual } from 'node:util';
import {
  alreadyExists,
  cloneJson,
  conflict,
  type FieldError,
  fieldError,
  generateNameExhausted,
  invalid,
  type KubeObject,
  notFound,
  objectModified,
  parseObjectResourceVersion,
  root,
  type StatusError,
  serverTimeout,
  storeReadError,
  validateObjectMetaCreate,
  validateObjectMetaUpdate,
  withoutRepeats,
} from '@tributary/apimachinery';
import {
  ABSENT,
  type Change,
  type CommitResult,
  type KeyRevision,
  type Revision,
  type Storage,
  StorageUnavailable,
  StorageUnreadable,
  type Stored,
  type Write,
} from '@tributary/storage';
import type {
  DeletionOptions,
  ObjectChange,
  PreconditionMismatch,
  ReadKey,
} from '../definition/lifecycle.ts';
import type { ValidateContext, ValidationThread } from '../validation/validate-context.ts';
import { isJson } from '../watch-cache/cached-object.ts';
import { Turn } from '../watch-cache/event-loop.ts';
import type { Readable, WatchCache } from '../watch-cache/types.ts';
import type { Admission, WriteContext } from './admission.ts';
import type { CommitPlace } from './commit-order.ts';
import { isReadyToGo, planDeletion } from './deletion.ts';
import type { NamespaceGuard } from './namespace-guard.ts';
import { fillSystemFields, type Identity, keepSystemFields } from './object-metadata.ts';
import { RecentWrites } from './recent-writes.ts';
import { settleTimes } from './settle-times.ts';
import { type StoreCodec, withRevision } from './store-codec.ts';
import type { Strategy } from './strategy.ts';

/** Where an object lies; `namespace` is empty for cluster-scoped kinds. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export interface WriteOptions extends WriteContext {
  /** What the stored object must be; otherwise 409. */
  readonly preconditions?: Preconditions | undefined;
  /**
   * Of a create: throws for who may not. The original asks a client who updates or applies what is not there only
   * after it has looked at the namespace and the object.
   */
  readonly permit?: (() => Promise<void>) | undefined;
  /** The place of the commit among those of writes that are made together. */
  readonly place?: CommitPlace | undefined;
}

export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** An object after a write, as it is answered. */
export type Written = Readable;

export type Deleted =
  | { readonly kind: 'removed'; readonly written: Written }
  | { readonly kind: 'marked'; readonly written: Written };

/** An object as it is known at the start of a write. */
interface Live {
  readonly object: KubeObject;
  readonly readable: Readable;
  readonly revision: Revision;
  /** Must be written even when nothing changes. */
  readonly stale: boolean;
  /** Read from the store itself: a failure on such an object is final. */
  readonly fresh: boolean;
}

interface CommitContext {
  readonly change: ObjectChange;
  readonly options: Pick<WriteOptions, 'signal' | 'place'>;
}

interface Attempt {
  /** The object may be written: what fails from here on does not depend on how fresh the present one was. */
  isJudged: boolean;
}

/**
 * The attempt was overtaken by another writer, or it would answer without a write from an object
 * that may be out of date: it starts over on what is stored now.
 */
const LOST = Symbol('lost');
type Lost = typeof LOST;

const METADATA = root('metadata');

/** Attempts at a free name for `generateName`. */
const GENERATE_ATTEMPTS = 8;

/** Writes of one resource: whole-object, compare-and-set, on what is really stored. */
export class ResourceStore {
  readonly #storage: Storage;
  readonly #cache: WatchCache;
  readonly #strategy: Strategy;
  readonly #codec: StoreCodec;
  readonly #identity: Identity;
  readonly #admission: Admission;
  readonly #namespaces: NamespaceGuard | undefined;
  readonly #validationThread: ValidationThread | undefined;
  readonly #recent = new RecentWrites();

  constructor(options: {
    storage: Storage;
    cache: WatchCache;
    strategy: Strategy;
    codec: StoreCodec;
    identity: Identity;
    admission: Admission;
    /** Absent: every name is a namespace. */
    namespaces?: NamespaceGuard | undefined;
    /** Where objects are judged that take long; absent, everything is judged at once. */
    validationThread?: ValidationThread | undefined;
  }) {
    this.#storage = options.storage;
    this.#cache = options.cache;
    this.#strategy = options.strategy;
    this.#codec = options.codec;
    this.#identity = options.identity;
    this.#admission = options.admission;
    this.#namespaces = options.namespaces;
    this.#validationThread = options.validationThread;
  }

  async create(asked: KubeObject, options: WriteOptions): Promise<Written> {
    this.#checkUid(nameOf(asked), undefined, options.preconditions);
    let place = await this.#openNamespace(asked, options);
    const sent = await this.#admission.create(asked, options);
    const generated = !sent.metadata.name && Boolean(sent.metadata.generateName);
    for (let attempt = 1; ; ) {
      const turn = new Turn();
      const object = await this.#prepareNew(sent, options, turn);
      if (turn.isOver) await turn.next();
      if (attempt === 1) await options.permit?.();
      const name = nameOf(object);
      const key = this.#key(name);
      const value = await this.#encode(object, options);
      if (options.dryRun) {
        const occupant = await this.#read(name, options);
        if (occupant === undefined) return this.#written(object, value, undefined, options);
      } else {
        const result = await this.#commit('create', {
          require: [{ key, revision: ABSENT }, ...(place ? [place] : [])],
          writes: [this.#put(key, value)],
          change: { next: object },
          options,
        });
        if (result.outcome === 'written')
          return this.#written(object, value, result.revision, options);
        if (result.key === place?.key) {
          options.signal.throwIfAborted();
          place = await this.#openNamespace(asked, options, true);
          continue;
        }
        if (result.key !== key) {
          this.#reportConflict(result.key, { next: object });
          options.signal.throwIfAborted();
          continue;
        }
      }
      if (!generated || attempt === GENERATE_ATTEMPTS) throw await this.#taken(sent, name, options);
      attempt += 1;
    }
  }

  /** `change` makes the new object from the stored one; it is asked again whenever a race was lost. */
  async update(
    name: ObjectName,
    change: (live: KubeObject) => Promise<KubeObject>,
    options: WriteOptions,
  ): Promise<Written> {
    return this.#onLive(name, options, async (live, attempt) => {
      this.#checkUid(name, live.object, options.preconditions);
      // Objects may be large: the steps of a write yield to the event loop.
      const changing = new Turn();
      const changed = await change(live.object);
      if (changing.isOver) await changing.next();
      const admitted = await this.#admission.update(changed, live.object, options);
      const turn = new Turn();
      const prepared = await this.#prepareNext(admitted, { ...live, turn }, options);
      if (turn.isOver) await turn.next();
      const next = settleTimes(prepared, live.object);
      if (isReadyToGo(next, this.#strategy.lifecycle))
        return this.#removeUpdated(name, live, next, options);
      if (isUnchanged(next, live)) return live.fresh ? live.readable : LOST;
      if (turn.isOver) await turn.next();
      attempt.isJudged = true;
      const value = await this.#encode(next, options);
      if (options.dryRun) {
        return live.fresh ? this.#written(next, value, live.revision, options) : LOST;
      }
      const key = this.#key(name);
      const step = { next, live: live.object };
      const result = await this.#commit('update', {
        require: [{ key, revision: live.revision }],
        writes: [this.#put(key, value)],
        change: step,
        options,
      });
      if (result.outcome === 'conflict') return this.#lost(result.key, key, step);
      const written = await this.#written(next, value, result.revision, options);
      const { revision } = result;
      this.#recent.keep(this.#path(name), {
        revision,
        object: written.object(),
        bytes: value.length,
      });
      return written;
    });
  }

  async delete(name: ObjectName, wish: DeletionOptions, options: WriteOptions): Promise<Deleted> {
    return this.#onLive(name, options, async (live, attempt): Promise<Deleted | Lost> => {
      this.#checkDeletePreconditions(name, live.object, options.preconditions);
      await this.#admission.delete(live.object, options);
      const plan = planDeletion(live.object, wish, {
        nowMs: this.#identity.nowMs(),
        graceSeconds: this.#strategy.deletionGraceSeconds?.(live.object),
        lifecycle: this.#strategy.lifecycle,
      });
      if (plan.kind === 'pending') {
        return live.fresh ? { kind: 'removed', written: live.readable } : LOST;
      }
      const key = this.#key(name);
      const require = [{ key, revision: live.revision }];
      if (plan.kind === 'remove') {
        const last = plan.object ?? live.object;
        if (options.dryRun) {
          return live.fresh
            ? { kind: 'removed', written: this.#removed(last, live.revision) }
            : LOST;
        }
        const change = { live: live.object };
        const result = await this.#commit('delete', {
          require,
          writes: [{ kind: 'delete', key }],
          change,
          options,
        });
        if (result.outcome === 'conflict') return this.#lost(result.key, key, change);
        return { kind: 'removed', written: this.#removed(last, result.revision) };
      }
      if (isUnchanged(plan.object, live)) {
        return live.fresh ? { kind: 'marked', written: live.readable } : LOST;
      }
      attempt.isJudged = true;
      const value = await this.#encode(plan.object, options);
      const marked = async (revision: Revision): Promise<Deleted> => ({
        kind: 'marked',
        written: await this.#written(plan.object, value, revision, options),
      });
      if (options.dryRun) return live.fresh ? marked(live.revision) : LOST;
      const change = { next: plan.object, live: live.object };
      const result = await this.#commit('delete', {
        require,
        writes: [this.#put(key, value)],
        change,
        options,
      });
      if (result.outcome === 'conflict') return this.#lost(result.key, key, change);
      return marked(result.revision);
    });
  }

  /**
   * Removes an object that cannot be read, which an ordinary deletion cannot. As upstream, nothing is asked about it: not its
   * finalizers, preconditions or admission. An object that can be read is refused.
   */
  async deleteUnreadable(name: ObjectName, options: WriteOptions): Promise<void> {
    const key = this.#key(name);
    for (;;) {
      const revision = await this.#unreadableRevision(name, options);
      if (options.dryRun) return;
      const writes = [{ kind: 'delete', key }] as const;
      const result = await this.#storage.commit({ require: [{ key, revision }], writes });
      if (result.outcome === 'written') return;
      options.signal.throwIfAborted();
    }
  }

  async #unreadableRevision(name: ObjectName, { signal }: WriteOptions): Promise<Revision> {
    const key = this.#key(name);
    const { resource } = this.#strategy;
    try {
      const stored = await this.#storage.get(key, { signal });
      if (stored === undefined) throw notFound(resource, name.name);
      if (!isJson(stored.value)) return stored.revision;
    } catch (error) {
      if (error instanceof StorageUnreadable) return error.revision;
      throw error;
    }
    const detail = 'unsafe deletion is not allowed because the object is decodable from storage';
    throw conflict(
      resource,
      name.name,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`,
    );
  }

  /**
   * Runs one attempt after another until one is not overtaken by another writer. It begins with
   * the cached object; a failure on that one may only mean that the cache is behind.
   */
  async #onLive<T>(
    name: ObjectName,
    options: Pick<WriteOptions, 'signal'>,
    run: (live: Live, attempt: Attempt) => Promise<T | Lost>,
  ): Promise<T> {
    let live = (await this.#cached(name, options)) ?? (await this.#read(name, options));
    for (;;) {
      if (live === undefined) throw notFound(this.#strategy.resource, name.name);
      const attempt: Attempt = { isJudged: false };
      try {
        const result = await run(live, attempt);
        if (result !== LOST) return result;
      } catch (error) {
        if (live.fresh || attempt.isJudged) throw error;
      }
      options.signal.throwIfAborted();
      live = await this.#read(name, options);
    }
  }

  async #cached(
    name: ObjectName,
    options: Pick<WriteOptions, 'signal'>,
  ): Promise<Live | undefined> {
    const cached = await this.#cache.get(this.#path(name), { kind: 'any' }, options);
    if (cached === undefined) return undefined;
    const { revision, stale } = cached;
    const readable = await this.#codec.cached(cached, options);
    const object = this.#recent.find(this.#path(name), revision) ?? readable.object();
    return { object, readable, revision, stale, fresh: false };
  }

  async #read(name: ObjectName, options: Pick<WriteOptions, 'signal'>): Promise<Live | undefined> {
    const { signal } = options;
    const stored = await this.#stored(this.#key(name), signal);
    if (stored === undefined) return undefined;
    const { readable, stale } = await this.#codec.read(stored, options);
    return { object: readable.object(), readable, revision: stored.revision, stale, fresh: true };
  }

  async #stored(key: string, signal: AbortSignal): Promise<Stored | undefined> {
    try {
      return await this.#storage.get(key, { signal });
    } catch (error) {
      if (error instanceof StorageUnreadable) throw storeReadError(key, error);
      throw error;
    }
  }

  async #prepareNew(sent: KubeObject, options: WriteOptions, turn: Turn): Promise<KubeObject> {
    const strategy = this.#strategy;
    const { dryRun } = options;
    const own = this.#ownCopy(sent);
    const object = strategy.prepareForCreate(fillSystemFields(own, this.#identity), { dryRun });
    const errors = [...(await strategy.validate(object, this.#context(options)))];
    if (strategy.judgesMetadataFirst) errors.unshift(...this.#metadataErrors(object));
    else if (errors.length === 0) errors.push(...this.#metadataErrors(object));
    if (errors.length > 0) throw this.#invalid(object.metadata.name ?? '', errors);
    if (turn.isOver) await turn.next();
    strategy.warnings(object).forEach(options.warn);
    strategy.canonicalise(object);
    return object;
  }

  #context(cancellation: WriteOptions): ValidateContext | undefined {
    const thread = this.#validationThread;
    return thread && { cancellation, thread };
  }

  /** The same object may be sent again, when a race was lost or a generated name was taken. */
  #ownCopy(sent: KubeObject): KubeObject {
    return this.#strategy.changesObjects ? (cloneJson(sent) as KubeObject) : sent;
  }

  async #prepareNext(
    sent: KubeObject,
    { object: live, revision, turn }: Live & { readonly turn: Turn },
    options: WriteOptions,
  ): Promise<KubeObject> {
    const strategy = this.#strategy;
    const { dryRun } = options;
    const name = live.metadata.name ?? '';
    this.#checkResourceVersion(sent, name, revision);
    // Whoever may leave the revision out means the one that is there.
    const own = withRevision(this.#ownCopy(sent), revision);
    const next = strategy.prepareForUpdate(keepSystemFields(own, live), live, { dryRun });
    const found = await strategy.validateUpdate(next, live, this.#context(options));
    const errors = [
      // The rules for new metadata apply again; upstream's kinds without declarative validation
      // report such errors twice.
      ...this.#metadataErrors(next),
      ...validateObjectMetaUpdate(next.metadata, live.metadata, METADATA),
      ...found,
    ];
    if (errors.length > 0) throw this.#invalid(name, errors);
    if (turn.isOver) await turn.next();
    strategy.warnings(next, live).forEach(options.warn);
    strategy.canonicalise(next);
    return strategy.countChange(next, live);
  }

  #invalid(name: string, errors: readonly FieldError[]): StatusError {
    const { kind, reportsErrorsOnce } = this.#strategy;
    return invalid(kind, name, reportsErrorsOnce ? withoutRepeats(errors) : errors);
  }

  #metadataErrors({ metadata }: KubeObject): FieldError[] {
    const { namespaced, validateName } = this.#strategy;
    return validateObjectMetaCreate(metadata, { namespaced, validateName, path: METADATA });
  }

  /** Optimistic locking: who names the revision it has seen loses to whoever was faster. */
  #checkResourceVersion(sent: KubeObject, name: string, revision: Revision): void {
    const { resource, allowUnconditionalUpdate } = this.#strategy;
    const seen = parseObjectResourceVersion(sent.metadata.resourceVersion ?? '');
    if (seen === 0) {
      if (allowUnconditionalUpdate) return;
      // Upstream names the resource where a kind belongs, and clients have learned to read it.
      const kind = { group: resource.group, kind: resource.resource };
      const path = METADATA.child('resourceVersion');
      throw invalid(kind, name, [fieldError.invalid(path, 0, 'must be specified for an update')]);
    }
    if (seen !== revision) throw conflict(resource, name, objectModified);
  }

  /** Throws when the object that an update is meant for is another one. Undefined: it is gone. */
  #checkUid(name: ObjectName, live: KubeObject | undefined, preconditions?: Preconditions): void {
    const uid = preconditions?.uid;
    const found = live?.metadata.uid ?? '';
    if (uid === undefined || uid === found) return;
    const { resource, errorKeyPrefix } = this.#strategy;
    throw conflict(
      resource,
      name.name,
      `StorageError: invalid object, Code: 4, Key: ${errorKeyPrefix}${this.#path(name)}, ResourceVersion: 0, ` +
        `AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
    );
  }

  #checkDeletePreconditions(name: ObjectName, live: KubeObject, wanted?: Preconditions): void {
    const { uid = '', resourceVersion = '' } = live.metadata;
    if (wanted?.uid !== undefined && wanted.uid !== uid) {
      const what = { field: 'UID', wanted: wanted.uid, found: uid } as const;
      throw this.#preconditionFailed(name, { ...what, why: 'deleted and then recreated' });
    }
    if (wanted?.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
      const what = { wanted: wanted.resourceVersion, found: resourceVersion };
      throw this.#preconditionFailed(name, { field: 'ResourceVersion', ...what, why: 'modified' });
    }
  }

  #preconditionFailed(
    { name }: ObjectName,
    { why, ...mismatch }: PreconditionMismatch & { why: string },
  ): StatusError {
    const { kind, resource, lifecycle } = this.#strategy;
    const words = lifecycle.preconditionMismatch?.(mismatch);
    if (words !== undefined) return conflict(resource, name, words);
    const { field, wanted, found } = mismatch;
    // The kind stands where other conflicts name the resource; upstream does so too.
    return conflict(
      { group: kind.group, resource: kind.kind },
      name,
      `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found}). The object might have been ${why}`,
    );
  }

  async #removeUpdated(
    name: ObjectName,
    live: Live,
    next: KubeObject,
    options: WriteOptions,
  ): Promise<Written | Lost> {
    const last = this.#codec.shown(withRevision(next, live.revision));
    if (options.dryRun) return live.fresh ? last : LOST;
    const key = this.#key(name);
    const change = { live: live.object };
    const result = await this.#commit('update', {
      require: [{ key, revision: live.revision }],
      writes: [{ kind: 'delete', key }],
      change,
      options,
    });
    if (result.outcome === 'conflict') return this.#lost(result.key, key, change);
    // The answer is the last state; the revision of the deletion is for watchers.
    return last;
  }

  async #taken(sent: KubeObject, name: ObjectName, options: WriteOptions): Promise<StatusError> {
    const { resource } = this.#strategy;
    if (sent.metadata.generateName) return generateNameExhausted(resource, name.name);
    const occupant = await this.#read(name, options);
    const beingDeleted = Boolean(occupant?.object.metadata.deletionTimestamp);
    return alreadyExists(resource, name.name, { beingDeleted });
  }

  /** An object does not come without what is written along with it. */
  async #commit(
    operation: string,
    { change, options, ...own }: Change & CommitContext,
  ): Promise<CommitResult> {
    const { signal, place } = options;
    const { atomicWrites } = this.#strategy.lifecycle;
    try {
      if (place !== undefined) await place.isNext;
      const look: ReadKey = (key) => this.#storage.get(key, { signal });
      const more = atomicWrites && (await atomicWrites.writes(change, look));
      const committing = this.#storage.commit({
        require: [...own.require, ...(more?.require ?? [])],
        writes: [...own.writes, ...(more?.writes ?? [])],
      });
      place?.leave();
      return await committing;
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      throw serverTimeout(this.#strategy.resource, operation, 2, { cause: error });
    }
  }

  #put(key: string, value: Uint8Array): Write {
    const { ttlSeconds } = this.#strategy.lifecycle;
    return { kind: 'put', key, value, ...(ttlSeconds !== undefined && { ttlSeconds }) };
  }

  #lost(lostKey: string, ownKey: string, change: ObjectChange): Lost {
    if (lostKey !== ownKey) this.#reportConflict(lostKey, change);
    return LOST;
  }

  #reportConflict(key: string, change: ObjectChange): void {
    this.#strategy.lifecycle.atomicWrites?.onConflict(key, change);
  }

  async #openNamespace(
    { metadata }: KubeObject,
    { signal }: WriteOptions,
    fresh = false,
  ): Promise<KeyRevision | undefined> {
    const { namespaced, resource } = this.#strategy;
    if (!namespaced) return undefined;
    const { namespace = '', name, generateName } = metadata;
    const place = { namespace, resource, name: name || generateName || '' };
    return this.#namespaces?.requireOpen(place, { signal, fresh });
  }

  #encode(object: KubeObject, options: WriteOptions): Promise<Uint8Array> {
    return this.#codec.encode(object, options);
  }

  #written(
    object: KubeObject,
    value: Uint8Array,
    revision: Revision | undefined,
    options: WriteOptions,
  ): Promise<Written> {
    return this.#codec.written({ object, value, revision }, options);
  }

  /** The last state under the revision at which it went. */
  #removed(object: KubeObject, revision: Revision): Written {
    return this.#codec.shown(withRevision(object, revision));
  }

  #path({ namespace, name }: ObjectName): string {
    return this.#strategy.namespaced ? `${namespace}/${name}` : name;
  }

  #key(name: ObjectName): string {
    return this.#strategy.prefix + this.#path(name);
  }
}

/** A write that changes nothing is none: no new revision, no event. The order of fields is no change. */
function isUnchanged(next: KubeObject, { object, stale, revision }: Live): boolean {
  return !stale && isDeepStrictEqual(withRevision(next, revision), object);
}

function nameOf({ metadata }: KubeObject): ObjectName {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}
