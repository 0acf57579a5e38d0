import { badRequest, plainError } from '../errors/errors.ts';
import { setMember } from '../json/json-object.ts';
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
import {
  decodeManagedFields,
  encodeManagedFields,
  type Managers,
  NO_MANAGERS,
} from './managers.ts';
import { applyConfiguration, type KindVersions, ownershipAfterUpdate } from './ownership.ts';
import { type PathElement, printOwnedPath, printPath } from './path-element.ts';
import { shareParts } from './share-parts.ts';
import { isMap, type JsonMap, type Type } from './type.ts';
import { TypedError } from './typed-error.ts';
import { requireTyped } from './validate.ts';

export interface FieldManagerOptions {
  readonly kind: GroupVersionKind;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly versions: KindVersions;
  /** An object without any fields but its type. */
  readonly empty: KubeObject;
  readonly nowMs: () => number;
}

/** Maintains `metadata.managedFields` for one endpoint of one version. All objects have that version. */
export class FieldManager {
  readonly #options: FieldManagerOptions;
  readonly #apiVersion: string;
  #timestamp = { second: Number.NaN, text: '' };
  /** Validated fields of objects, such as their spec. They are immutable. */
  readonly #valid = new WeakSet<object>();

  constructor(options: FieldManagerOptions) {
    this.#options = options;
    this.#apiVersion = formatGroupVersion(options.kind);
  }

  /**
   * The object of an update with its new managedFields. `live` has no uid when the object is new. Unchanged parts of the
   * result are those of `live`, which makes later comparisons of the two cheap.
   */
  update(live: KubeObject, next: KubeObject, manager: string): KubeObject {
    const managers = this.#managersOf(live, next);
    const bare = withoutManagedFields(next);
    // As upstream, an object without managedFields gets them only at its creation or at its first apply.
    if (managers.size === 0 && live.metadata.uid) return bare;
    const before = withoutManagedFields(live);
    const after = shareParts(bare, before);
    try {
      this.#requireValid(before);
      requireTyped(after, this.#type(), { allowDuplicates: true, valid: before, fromClient: true });
      // These parts are stored and are those of the live object at the next write.
      this.#addValid(after);
      return withManagers(after, this.#afterUpdate(before, after, managers, manager));
    } catch (error) {
      // Validation reports the invalid object later. As upstream since v1.37, the live entries stay.
      if (error instanceof TypedError) return withEntries(bare, live.metadata.managedFields);
      throw error;
    }
  }

  /** The live object with the configuration applied; throws a StatusError for conflicts and invalid configurations. */
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
    this.#require('failed to create typed live object', bare, { fromClient: false });
    const print = known.size > 0 ? printOwnedPath : printPath;
    const applied = this.#applied(bare, config, managers, { ...options, printPath: print });
    const object = applied.object ?? bare;
    const annotated = manager === KUBECTL ? withLastApplied(object, config) : object;
    return withManagers(annotated, applied.managers);
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
      applyConfiguration(this.#options.versions, live, config, managers, {
        actor: this.#actor(manager, 'Apply'),
        now: this.#now(),
        force: forced,
      });
    try {
      return attempt(force);
    } catch (error) {
      if (error instanceof TypedError) throw plainError(error.message);
      if (!(error instanceof ApplyConflicts)) throw error;
      const conflicts = this.#withoutAllowedConflicts(error.conflicts, live, manager);
      if (conflicts.length > 0) throw conflictStatus(conflicts, printPath);
      return attempt(true);
    }
  }

  /** Ignores conflicts of kubectl with its own client-side apply, when it migrates to server-side apply. */
  #withoutAllowedConflicts(
    conflicts: readonly Conflict[],
    live: KubeObject,
    manager: string,
  ): readonly Conflict[] {
    if (manager !== KUBECTL) return conflicts;
    const allowed = conflictsAllowedByLastApplied(live, this.#apiVersion, this.#type());
    return allowed === undefined ? conflicts : conflicts.filter(({ path }) => !allowed.has(path));
  }

  /** The configuration may lack both fields, because it comes from the client. */
  #requireKind({ apiVersion = '', kind = '' }: Partial<KubeObject>): void {
    if (apiVersion === this.#apiVersion && kind === this.#options.kind.kind) return;
    const sent = { ...(parseGroupVersion(apiVersion) ?? { group: '', version: '' }), kind };
    throw badRequest(`invalid object type: ${formatGroupVersionKind(sent)}`);
  }

  #requireApplicable(config: KubeObject): void {
    if (config.metadata?.managedFields != null) {
      throw badRequest('metadata.managedFields must be nil');
    }
    this.#require('failed to create typed patch object', config, { fromClient: true });
  }

  /** Throws a TypedError for an invalid object. Skips parts that an earlier write validated. */
  #requireValid(object: KubeObject): void {
    const unknown: Record<string, unknown> = {};
    for (const name of Object.keys(object)) {
      const part = object[name];
      if (!isMap(part) || !this.#valid.has(part)) setMember(unknown, name, part);
    }
    requireTyped(unknown, this.#type(), { allowDuplicates: true });
    this.#addValid(object);
  }

  #addValid(object: KubeObject): void {
    for (const name of Object.keys(object)) {
      const part = object[name];
      // The server changes metadata before it is stored.
      if (name !== 'metadata' && isMap(part)) this.#valid.add(part);
    }
  }

  /** Throws a StatusError for an invalid object. */
  #require(
    failure: string,
    object: KubeObject,
    { fromClient }: { readonly fromClient: boolean },
  ): void {
    try {
      // Only the live object may have duplicate items.
      requireTyped(object, this.#type(), { allowDuplicates: !fromClient, fromClient });
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      throw plainError(`${failure} (${this.#describe(object)}): ${error.message}`);
    }
  }

  #describe({ metadata }: KubeObject): string {
    const { namespace = '', name = '' } = metadata ?? {};
    return `${namespace}/${name}; ${formatGroupVersionKind(this.#options.kind)}`;
  }

  /** Without managedFields, the fields of the live object get the owner `before-first-apply`, as upstream. */
  #beforeFirstApply(live: KubeObject): Managers {
    const failure = 'failed to create manager for existing fields: failed to convert new object';
    try {
      requireTyped(live, this.#type(), { allowDuplicates: true });
    } catch (error) {
      if (!(error instanceof TypedError)) throw error;
      throw plainError(`${failure} (${this.#describe(live)}) to smd typed: ${error.message}`);
    }
    return this.#afterUpdate(this.#options.empty, live, NO_MANAGERS, BEFORE_FIRST_APPLY);
  }

  #type(): Type {
    const type = this.#options.versions.type(this.#apiVersion);
    if (type === undefined) throw new Error(`version ${this.#apiVersion} is not served`);
    return type;
  }

  #afterUpdate(live: KubeObject, next: KubeObject, managers: Managers, manager: string): Managers {
    const actor = this.#actor(manager, 'Update');
    const { versions } = this.#options;
    return capUpdateManagers(
      ownershipAfterUpdate(versions, live, next, managers, { actor, now: this.#now() }),
    );
  }

  /** A client can set or reset managedFields; without them the live ones apply. */
  #managersOf(live: KubeObject, next: KubeObject): Managers {
    const stored = live.metadata.managedFields ?? [];
    if (this.#options.subresource !== '') return decodeOrNone(stored);
    const sent = next.metadata.managedFields;
    if (isReset(sent)) return NO_MANAGERS;
    const known = decodeOrNone(stored);
    // Clients that read, modify and write an object send the live entries.
    if (sent === undefined || equalValues(sent, stored)) return known;
    const managers = decodeOrNone(sent ?? [], known);
    return managers.size === 0 ? known : managers;
  }

  #actor(name: string, operation: 'Apply' | 'Update') {
    const { subresource } = this.#options;
    return { name: name || 'unknown', operation, apiVersion: this.#apiVersion, subresource };
  }

  /** The current second, formatted once for all writes in it. */
  #now(): string {
    const second = Math.floor(this.#options.nowMs() / 1000);
    if (second !== this.#timestamp.second) {
      this.#timestamp = { second, text: formatTime(second * 1000) };
    }
    return this.#timestamp.text;
  }
}

/** The manager whose client-side apply leaves the last-applied annotation. */
const KUBECTL = 'kubectl';
const BEFORE_FIRST_APPLY = 'before-first-apply';

function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined || entries === null) return false;
  if (entries.length === 0) return true;
  return entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0;
}

/** As upstream, an update ignores managedFields that cannot be decoded. */
function decodeOrNone(entries: readonly ManagedFieldsEntry[], known = NO_MANAGERS): Managers {
  try {
    return decodeManagedFields(entries, known);
  } catch {
    return NO_MANAGERS;
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
  // Copies field by field, which is much faster than a rest pattern.
  const source = object.metadata as object as JsonMap;
  const metadata: Record<string, unknown> = {};
  for (const name in source) if (name !== 'managedFields') setMember(metadata, name, source[name]);
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
