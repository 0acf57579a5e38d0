import {
  alreadyExists,
  generateNameExhausted,
  type KubeObject,
  type StatusError,
} from '@tributary/apimachinery';
import type { KeyRevision, Revision, Storage } from '@tributary/storage';
import type { DeletionOptions } from '../definition/lifecycle.ts';
import { Turn } from '../watch-cache/event-loop.ts';
import type { Readable, WatchCache } from '../watch-cache/types.ts';
import type { Admission } from './admission.ts';
import { isReadyToRemove, planDeletion } from './deletion.ts';
import {
  type Attempt,
  isUnchanged,
  type LiveObject,
  LiveObjects,
  RETRY,
  type Retry,
} from './live-objects.ts';
import type { NamespaceGuard } from './namespace-guard.ts';
import { type EncodedObject, ObjectCommits } from './object-commits.ts';
import { nameOf, type ObjectName, objectKey } from './object-name.ts';
import { ObjectPreparation, type PreparationOptions } from './object-preparation.ts';
import { checkDeletePreconditions, checkUid } from './preconditions.ts';
import { type StoreCodec, withRevision } from './store-codec.ts';
import type { Strategy } from './strategy.ts';
import { withUnchangedTimes } from './unchanged-times.ts';
import type { WriteOptions } from './write-options.ts';

/** An object after a write, for the response. */
export type Written = Readable;

export type Deleted =
  | { readonly kind: 'removed'; readonly written: Written }
  | { readonly kind: 'marked'; readonly written: Written };

interface ResourceStoreOptions extends PreparationOptions {
  readonly storage: Storage;
  readonly cache: WatchCache;
  readonly codec: StoreCodec;
  readonly admission: Admission;
  /** Default: every namespace exists. */
  readonly namespaces?: NamespaceGuard | undefined;
}

/** Attempts at an unused name for `generateName`. */
const GENERATE_ATTEMPTS = 8;

/** Writes of one resource: whole objects, by compare-and-set on the stored state. */
export class ResourceStore {
  readonly #strategy: Strategy;
  readonly #codec: StoreCodec;
  readonly #nowMs: () => number;
  readonly #admission: Admission;
  readonly #namespaces: NamespaceGuard | undefined;
  readonly #live: LiveObjects;
  readonly #commits: ObjectCommits;
  readonly #prepare: ObjectPreparation;

  constructor(options: ResourceStoreOptions) {
    this.#strategy = options.strategy;
    this.#codec = options.codec;
    this.#nowMs = options.identity.nowMs;
    this.#admission = options.admission;
    this.#namespaces = options.namespaces;
    this.#live = new LiveObjects(options);
    this.#commits = new ObjectCommits(options);
    this.#prepare = new ObjectPreparation(options);
  }

  async create(requested: KubeObject, options: WriteOptions): Promise<Written> {
    checkUid(nameOf(requested), undefined, options.preconditions ?? {}, this.#strategy);
    let namespace = await this.#openNamespace(requested, options);
    const sent = await this.#admission.create(requested, options);
    const generated = !sent.metadata.name && Boolean(sent.metadata.generateName);
    for (let attempt = 1; ; ) {
      const turn = new Turn();
      const object = await this.#prepare.forCreate(sent, options, turn);
      if (turn.isOver) await turn.next();
      if (attempt === 1) await options.permit?.();
      const name = nameOf(object);
      const encoded = await this.#encoded(object, options);
      const result = options.dryRun
        ? await this.#tryCreate(name, options)
        : await this.#commits.create(this.#key(name), encoded, namespace, options);
      switch (result.outcome) {
        case 'written':
          return this.#written(encoded, result.revision, options);
        case 'namespace':
          options.signal.throwIfAborted();
          namespace = await this.#openNamespace(requested, options, true);
          break;
        case 'retry':
          options.signal.throwIfAborted();
          break;
        default:
          if (!generated || attempt === GENERATE_ATTEMPTS)
            throw await this.#alreadyExists(sent, name, options);
          attempt += 1;
      }
    }
  }

  /** `change` makes the new object from the stored one, again after every lost race. */
  async update(
    name: ObjectName,
    change: (live: KubeObject) => Promise<KubeObject>,
    options: WriteOptions,
  ): Promise<Written> {
    return this.#live.attempt(name, options, async (live, attempt) => {
      checkUid(name, live.object, options.preconditions ?? {}, this.#strategy);
      // Objects may be large: the steps of a write yield to the event loop.
      const changing = new Turn();
      const changed = await change(live.object);
      if (changing.isOver) await changing.next();
      const admitted = await this.#admission.update(changed, live.object, options);
      const turn = new Turn();
      const prepared = await this.#prepare.forUpdate(admitted, live, options, turn);
      if (turn.isOver) await turn.next();
      const next = withUnchangedTimes(prepared, live.object);
      if (isReadyToRemove(next, this.#strategy.lifecycle))
        return this.#removeUpdated(name, live, next, options);
      if (isUnchanged(next, live)) return live.fresh ? live.readable : RETRY;
      if (turn.isOver) await turn.next();
      attempt.isValid = true;
      const encoded = await this.#encoded(next, options);
      if (options.dryRun)
        return live.fresh ? this.#written(encoded, live.revision, options) : RETRY;
      const replacing = { live, next: encoded };
      const revision = await this.#commits.change('update', this.#key(name), replacing, options);
      if (revision === RETRY) return RETRY;
      const written = await this.#written(encoded, revision, options);
      this.#live.remember(name, written, { revision, bytes: encoded.value.length });
      return written;
    });
  }

  async delete(
    name: ObjectName,
    requested: DeletionOptions,
    options: WriteOptions,
  ): Promise<Deleted> {
    return this.#live.attempt(name, options, async (live, attempt): Promise<Deleted | Retry> => {
      checkDeletePreconditions(live.object, options.preconditions ?? {}, this.#strategy);
      await this.#admission.delete(live.object, options);
      const plan = planDeletion(live.object, requested, {
        nowMs: this.#nowMs(),
        graceSeconds: this.#strategy.deletionGraceSeconds?.(live.object),
        lifecycle: this.#strategy.lifecycle,
      });
      if (plan.kind === 'mark') return this.#mark(name, plan.object, { live, attempt }, options);
      if (plan.kind === 'remove') return this.#remove(name, { live, last: plan.object }, options);
      return live.fresh ? { kind: 'removed', written: live.readable } : RETRY;
    });
  }

  /**
   * Removes an object that cannot be decoded, which an ordinary deletion cannot. As upstream, finalizers, preconditions
   * and admission do not apply. An object that can be decoded is refused.
   */
  async deleteUnreadable(name: ObjectName, options: WriteOptions): Promise<void> {
    for (;;) {
      const revision = await this.#live.unreadableRevision(name, options);
      if (options.dryRun || (await this.#commits.remove(this.#key(name), revision))) return;
      options.signal.throwIfAborted();
    }
  }

  async #remove(
    name: ObjectName,
    {
      live,
      last = live.object,
    }: { readonly live: LiveObject; readonly last?: KubeObject | undefined },
    options: WriteOptions,
  ): Promise<Deleted | Retry> {
    const removed = (revision: Revision): Deleted => ({
      kind: 'removed',
      written: this.#codec.responseOf(withRevision(last, revision)),
    });
    if (options.dryRun) return live.fresh ? removed(live.revision) : RETRY;
    const revision = await this.#commits.change('delete', this.#key(name), { live }, options);
    return revision === RETRY ? RETRY : removed(revision);
  }

  async #mark(
    name: ObjectName,
    next: KubeObject,
    { live, attempt }: { readonly live: LiveObject; readonly attempt: Attempt },
    options: WriteOptions,
  ): Promise<Deleted | Retry> {
    if (isUnchanged(next, live)) {
      return live.fresh ? { kind: 'marked', written: live.readable } : RETRY;
    }
    attempt.isValid = true;
    const encoded = await this.#encoded(next, options);
    if (options.dryRun && !live.fresh) return RETRY;
    const revision = options.dryRun
      ? live.revision
      : await this.#commits.change('delete', this.#key(name), { live, next: encoded }, options);
    if (revision === RETRY) return RETRY;
    return { kind: 'marked', written: await this.#written(encoded, revision, options) };
  }

  /** An update that removes the last finalizer of a deleted object removes the object. */
  async #removeUpdated(
    name: ObjectName,
    live: LiveObject,
    next: KubeObject,
    options: WriteOptions,
  ): Promise<Written | Retry> {
    const last = this.#codec.responseOf(withRevision(next, live.revision));
    if (options.dryRun) return live.fresh ? last : RETRY;
    const revision = await this.#commits.change('update', this.#key(name), { live }, options);
    // The response is the last state; only watchers get the revision of the deletion.
    return revision === RETRY ? RETRY : last;
  }

  /** The result of a create without the commit. */
  async #tryCreate(name: ObjectName, options: WriteOptions) {
    const occupant = await this.#live.read(name, options);
    if (occupant !== undefined) return { outcome: 'exists' } as const;
    return { outcome: 'written', revision: undefined } as const;
  }

  async #alreadyExists(
    sent: KubeObject,
    name: ObjectName,
    options: WriteOptions,
  ): Promise<StatusError> {
    const { resource } = this.#strategy;
    if (sent.metadata.generateName) return generateNameExhausted(resource, name.name);
    const occupant = await this.#live.read(name, options);
    const beingDeleted = Boolean(occupant?.object.metadata.deletionTimestamp);
    return alreadyExists(resource, name.name, { beingDeleted });
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

  async #encoded(object: KubeObject, options: WriteOptions): Promise<EncodedObject> {
    return { object, value: await this.#codec.encode(object, options) };
  }

  #written(
    encoded: EncodedObject,
    revision: Revision | undefined,
    options: WriteOptions,
  ): Promise<Written> {
    return this.#codec.written({ ...encoded, revision }, options);
  }

  #key(name: ObjectName): string {
    return objectKey(this.#strategy, name);
  }
}
