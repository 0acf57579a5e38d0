import { badRequest, plainError } from '../errors/errors.ts';
import { setMember } from '../json/set-member.ts';
import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  parseGroupVersion,
} from '../meta/group-version.ts';
import type { KubeObject, ManagedFieldsEntry } from '../meta/object.ts';
import { formatTime } from '../values/time.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { equalValues } from './compare.ts';
import { ApplyConflicts, type Conflict, conflictStatus } from './conflicts.ts';
import { conflictsAllowedByLastApplied, withLastApplied } from './last-applied.ts';
import { decodeManagedFields, encodeManagedFields, type Managers, NOBODY } from './managers.ts';
import { applyConfiguration, type OwnedKind, ownershipAfterUpdate } from './ownership.ts';
import { type PathElement, printOwnedPath, printPath } from './path-element.ts';
import { shareParts } from './share-parts.ts';
import { isMap, type JsonMap, type Type } from './type.ts';
import { TypedError } from './typed-error.ts';
import { requireTyped } from './validate.ts';

/** Through which endpoint, and when, somebody writes. */
export interface FieldManagerOptions {
  readonly kind: GroupVersionKind;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly owned: OwnedKind;
  /** An object of which nothing was said yet. */
  readonly empty: KubeObject;
  readonly nowMs: () => number;
}

/** Keeps `metadata.managedFields` for one endpoint of one version. All objects are of that version. */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  #stamp = { second: Number.NaN, text: '' };
  /** Fields of objects, such as their spec, that fit their type. They are not changed any more. */
  readonly #fitting = new WeakSet<object>();

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#apiVersion = formatGroupVersion(options.kind);
  }

  /**
   * An object after a write that was no apply, with who owns what. `live` has no uid when it is new; what did not
   * change is the very part of it, as whoever compares the two again will see at once.
   */
  update(live: KubeObject, next: KubeObject, manager: string): KubeObject {
    const managers = this.#managersOf(live, next);
    const bare = withoutManagedFields(next);
    // An object that nobody tracks is tracked from its creation, or from the first apply on.
    if (managers.size === 0 && live.metadata.uid) return bare;
    const before = withoutManagedFields(live);
    const after = shareParts(bare, before);
    try {
      this.#requireFitting(before);
      requireTyped(after, this.#type(), { allowDuplicates: true, fitting: before, isSent: true });
      // These are what is written, and so what is live the next time.
      this.#addFitting(after);
      return withManagers(after, this.#afterUpdate(before, after, managers, manager));
    } catch (error) {
      // The type does not allow the object, which validation reports. As upstream since v1.37, the live entries stay.
      if (error instanceof TypedError) return withEntries(bare, live.metadata.managedFields);
      throw error;
    }
  }

  /** The live object with a configuration applied to it; throws a Status when it may not be. */
  apply(
    live: KubeObject,
    config: KubeObject,
    options: { readonly manager: string; readonly force: boolean },
  ): KubeObject {
    const known = decodeOrFail(live.metadata.managedFields ?? []);
    this.#requireKind(config);
    const { manager } = options;
    const bare = withoutManagedFields(live);
    const managers = known.size > 0 ? known : this.#beforeFirstApply(bare);
    this.#requireApplicable(config);
    this.#require('failed to create typed live object', bare, { isSent: false });
    const print = known.size > 0 ? printOwnedPath : printPath;
    const applied = this.#applied(bare, config, managers, { ...options, printPath: print });
    const object = applied.object ?? bare;
    const kept = manager === KUBECTL ? withLastApplied(object, config) : object;
    return withManagers(kept, applied.managers);
  }

  #applied(
    live: KubeObject,
    config: KubeObject,
    managers: Managers,
    options: {
      readonly manager: string;
      readonly force: boolean;
      readonly printPath: (path: readonly PathElement[]) => string;
    },
  ): { readonly object: KubeObject | undefined; readonly managers: Managers } {
    const { manager, force, printPath } = options;
    const attempt = (forced: boolean) =>
      applyConfiguration(this.#options.owned, live, config, managers, {
        actor: this.#actor(manager, 'Apply'),
        now: this.#now(),
        force: forced,
      });
    try {
      return attempt(force);
    } catch (error) {
      if (error instanceof TypedError) throw plainError(error.message);
      if (!(error instanceof ApplyConflicts)) throw error;
      const conflicts = this.#realConflicts(error.conflicts, live, manager);
      if (conflicts.length > 0) throw conflictStatus(conflicts, printPath);
      return attempt(true);
    }
  }

  /** Who changes from client-side to server-side apply does not conflict with its own old self. */
  #realConflicts(
    conflicts: readonly Conflict[],
    live: KubeObject,
    manager: string,
  ): readonly Conflict[] {
    if (manager !== KUBECTL) return conflicts;
    const allowed = conflictsAllowedByLastApplied(live, this.#apiVersion, this.#type());
    return allowed === undefined ? conflicts : conflicts.filter(({ path }) => !allowed.has(path));
  }

  /** The configuration is what a client sent: it may say neither. */
  #requireKind({ apiVersion = '', kind = '' }: Partial<KubeObject>): void {
    if (apiVersion === this.#apiVersion && kind === this.#options.kind.kind) return;
    const sent = { ...(parseGroupVersion(apiVersion) ?? { group: '', version: '' }), kind };
    throw badRequest(`invalid object type: ${formatGroupVersionKind(sent)}`);
  }

  #requireApplicable(config: KubeObject): void {
    if (config.metadata?.managedFields != null) {
      throw badRequest('metadata.managedFields must be nil');
    }
    this.#require('failed to create typed patch object', config, { isSent: true });
  }

  /** Throws when an object does not fit its type. Most of an object that is written again was written before. */
  #requireFitting(object: KubeObject): void {
    const unknown: Record<string, unknown> = {};
    for (const name of Object.keys(object)) {
      const part = object[name];
      if (!isMap(part) || !this.#fitting.has(part)) setMember(unknown, name, part);
    }
    requireTyped(unknown, this.#type(), { allowDuplicates: true });
    this.#addFitting(object);
  }

  #addFitting(object: KubeObject): void {
    for (const name of Object.keys(object)) {
      const part = object[name];
      // Metadata is never written as it was sent.
      if (name !== 'metadata' && isMap(part)) this.#fitting.add(part);
    }
  }

  /** Throws a Status when an object does not fit its type. */
  #require(failure: string, object: KubeObject, { isSent }: { readonly isSent: boolean }): void {
    try {
      // Only what is live may have an item twice.
      requireTyped(object, this.#type(), { allowDuplicates: !isSent, isSent });
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      throw plainError(`${failure} (${this.#describe(object)}): ${error.message}`);
    }
  }

  #describe({ metadata }: KubeObject): string {
    const { namespace = '', name = '' } = metadata ?? {};
    return `${namespace}/${name}; ${formatGroupVersionKind(this.#options.kind)}`;
  }

  /** On an object that nobody tracks, what is there already belongs to somebody from before. */
  #beforeFirstApply(live: KubeObject): Managers {
    const failure = 'failed to create manager for existing fields: failed to convert new object';
    try {
      requireTyped(live, this.#type(), { allowDuplicates: true });
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      throw plainError(`${failure} (${this.#describe(live)}) to smd typed: ${error.message}`);
    }
    return this.#afterUpdate(this.#options.empty, live, NOBODY, BEFORE_FIRST_APPLY);
  }

  #type(): Type {
    const type = this.#options.owned.type(this.#apiVersion);
    if (type === undefined) throw new Error(`version ${this.#apiVersion} is not served`);
    return type;
  }

  #afterUpdate(live: KubeObject, next: KubeObject, managers: Managers, manager: string): Managers {
    const actor = this.#actor(manager, 'Update');
    const { owned } = this.#options;
    return capUpdateManagers(
      ownershipAfterUpdate(owned, live, next, managers, { actor, now: this.#now() }),
    );
  }

  /** A client may set managedFields itself, or empty them; who sends none means those that are there. */
  #managersOf(live: KubeObject, next: KubeObject): Managers {
    const mine = live.metadata.managedFields ?? [];
    if (this.#options.subresource !== '') return decodeOrNobody(mine);
    const sent = next.metadata.managedFields;
    if (isReset(sent)) return NOBODY;
    const known = decodeOrNobody(mine);
    // Who reads an object, changes it and sends it back, brings along what is there.
    if (sent === undefined || equalValues(sent, mine)) return known;
    const managers = decodeOrNobody(sent ?? [], known);
    return managers.size === 0 ? known : managers;
  }

  #actor(name: string, operation: 'Apply' | 'Update') {
    const { subresource } = this.#options;
    return { name: name || 'unknown', operation, apiVersion: this.#apiVersion, subresource };
  }

  /** Times are in seconds, in which there may be many writes. */
  #now(): string {
    const second = Math.floor(this.#options.nowMs() / 1000);
    if (second !== this.#stamp.second) this.#stamp = { second, text: formatTime(second * 1000) };
    return this.#stamp.text;
  }
}

/** The one manager whose client-side applies are known. */
const KUBECTL = 'kubectl';
const BEFORE_FIRST_APPLY = 'before-first-apply';

function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined || entries === null) return false;
  if (entries.length === 0) return true;
  return entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0;
}

function decodeOrNobody(entries: readonly ManagedFieldsEntry[], known = NOBODY): Managers {
  try {
    return decodeManagedFields(entries, known);
  } catch {
    return NOBODY;
  }
}

function decodeOrFail(entries: readonly ManagedFieldsEntry[]): Managers {
  try {
    return decodeManagedFields(entries);
  } catch (error) {
    throw plainError(`failed to decode managed fields: ${(error as Error).message}`);
  }
}

function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.managedFields === undefined) return object;
  // Field by field, which is much faster than to have the rest taken.
  const all = object.metadata as object as JsonMap;
  const metadata: Record<string, unknown> = {};
  for (const name in all) if (name !== 'managedFields') setMember(metadata, name, all[name]);
  return { ...object, metadata };
}

function withManagers(object: KubeObject, managers: Managers): KubeObject {
  return withEntries(object, encodeManagedFields(managers));
}

function withEntries(
  object: KubeObject,
  managedFields: ManagedFieldsEntry[] | undefined,
): KubeObject {
  return managedFields === undefined
    ? object
    : { ...object, metadata: { ...object.metadata, managedFields } };
}
