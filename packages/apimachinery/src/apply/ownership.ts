import type { KubeObject } from '../meta/object.ts';
import { compareText } from '../values/compare-text.ts';
import { type Comparison, compareTyped, equalValues } from './compare.ts';
import { ApplyConflicts, type Conflict } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { type Manager, type ManagerName, type Managers, managerIdentity } from './managers.ts';
import { mergeTyped } from './merge.ts';
import { reconcilerOf } from './reconcile.ts';
import { removeItems } from './remove-items.ts';
import type { Type } from './type.ts';
import { TypedError } from './typed-error.ts';
import { requireTyped } from './validate.ts';

/** The versions of a kind and the conversion between them. */
export interface KindVersions {
  /** The type of a version's objects; undefined for a version that is not served. */
  type(apiVersion: string): Type | undefined;
  /** Converts an object to another served version without modifying it. */
  convert(object: KubeObject, apiVersion: string): KubeObject;
  /** Fields that the endpoint overwrites, so that clients cannot own them through it. */
  resetFields(apiVersion: string): FieldSet;
}

/**
 * The managers after an update: the actor owns all changed fields since `now`, in addition to those it owned before, and
 * other managers lose them.
 */
export function ownershipAfterUpdate(
  versions: KindVersions,
  live: KubeObject,
  next: KubeObject,
  managers: Managers,
  { actor, now }: { readonly actor: ManagerName; readonly now: string },
): Managers {
  const kind = withCheckedConversions(versions);
  const current = reconciled(kind, managers, live);
  const compare = comparisons(kind, live, next, actor.apiVersion);
  const identity = managerIdentity(actor);
  const { remaining } = removeChangedFields(current, compare, identity);
  const { modified, added, removed } = compare(actor.apiVersion);
  const changed = modified.union(added);
  const gained = changed.difference(strippedFields);
  const before = remaining.get(identity);
  const owned = (before?.set ?? FieldSet.empty)
    .difference(removed)
    .difference(changed.intersection(strippedFields))
    .union(gained);
  const time = gained.isEmpty ? before?.time : now;
  if (owned === before?.set && time === before.time) return remaining;
  return withManager(
    remaining,
    identity,
    owned.isEmpty ? undefined : { ...actor, time, set: owned },
  );
}

/** The managers with one of them replaced, or removed when it is undefined. */
function withManager(managers: Managers, identity: string, manager: Manager | undefined): Managers {
  if (manager === undefined && !managers.has(identity)) return managers;
  const changed = new Map(managers);
  if (manager === undefined) changed.delete(identity);
  else changed.set(identity, manager);
  return changed;
}

/**
 * Merges the configuration of a manager into the live object. Without changes the returned object is undefined and the
 * manager keeps its time.
 */
export function applyConfiguration(
  versions: KindVersions,
  live: KubeObject,
  config: KubeObject,
  managers: Managers,
  options: { readonly actor: ManagerName; readonly now: string; readonly force: boolean },
): { readonly object: KubeObject | undefined; readonly managers: Managers } {
  const { actor, now, force } = options;
  const kind = withCheckedConversions(versions);
  const identity = managerIdentity(actor);
  const type = requireType(kind, actor.apiVersion);
  const known = reconciled(kind, managers, live);
  const before = known.get(identity);
  const set = fieldSetOf(config, type).recursiveDifference(kind.resetFields(actor.apiVersion));
  const current = withManager(known, identity, { ...actor, time: before?.time, set });
  const merged = mergeTyped(live, config, type) as KubeObject;
  const object = prune(kind, merged, current, before, actor.apiVersion);
  const compare = comparisons(kind, live, object, actor.apiVersion);
  const { remaining, conflicts } = removeChangedFields(current, compare, identity);
  if (!force && conflicts.length > 0) throw new ApplyConflicts(conflicts);
  const isChanged = !equalValues(live, object);
  const owned = set.difference(strippedFields);
  const time = isChanged ? now : before?.time;
  const applied = owned.isEmpty ? undefined : { ...actor, time, set: owned };
  return {
    object: isChanged ? object : undefined,
    managers: withManager(remaining, identity, applied),
  };
}

/** Upstream's `stripSet`: fields without an owner, which identify the object or are set by the server. */
const strippedFields = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

/** Caches conversions, and validates converted objects against the type of their version. */
function withCheckedConversions(kind: KindVersions): KindVersions {
  const known = new Map<KubeObject, Map<string, KubeObject>>();
  const convert = (object: KubeObject, apiVersion: string): KubeObject => {
    if (object.apiVersion === apiVersion) return object;
    const versions = known.get(object) ?? new Map<string, KubeObject>();
    let converted = versions.get(apiVersion);
    if (converted === undefined) {
      converted = kind.convert(object, apiVersion);
      requireTyped(converted, requireType(kind, apiVersion), { allowDuplicates: false });
      known.set(object, versions.set(apiVersion, converted));
    }
    return converted;
  };
  return { ...kind, convert };
}

/** Reconciles sets with the current types, and drops managers of versions that are no longer served. */
function reconciled(kind: KindVersions, managers: Managers, live: KubeObject): Managers {
  const reconciler = perVersion((apiVersion) => {
    const type = kind.type(apiVersion);
    // Fails early if the live object cannot be converted to that version.
    if (type !== undefined) kind.convert(live, apiVersion);
    return type && reconcilerOf(type);
  });
  return mapManagers(managers, (manager) => {
    const set = reconciler(manager.apiVersion)?.(manager.set);
    if (set === undefined) return undefined;
    return set === manager.set ? manager : { ...manager, set };
  });
}

/** Removes changed fields from the sets of all managers but the actor, and returns those fields as conflicts. */
function removeChangedFields(
  managers: Managers,
  compare: (apiVersion: string) => Difference,
  actor: string,
): { remaining: Managers; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const remaining = mapManagers(managers, (manager, identity) => {
    if (identity === actor) return manager;
    const { modified, added, removed, all } = compare(manager.apiVersion);
    // A fast path for most managers.
    if (manager.set.isDisjointFrom(all)) return manager;
    const lost = manager.set.intersection(modified).union(manager.set.intersection(added));
    for (const path of lost.paths()) conflicts.push({ identity, manager, path });
    const set = manager.set.difference(lost).difference(removed);
    if (set === manager.set) return manager;
    return set.isEmpty ? undefined : { ...manager, set };
  });
  conflicts.sort((a, b) => compareText(a.identity, b.identity));
  return { remaining, conflicts };
}

/** Replaces or, for undefined, removes each manager; returns the same map without changes. */
function mapManagers(
  managers: Managers,
  change: (manager: Manager, identity: string) => Manager | undefined,
): Managers {
  let result: Map<string, Manager> | undefined;
  for (const [identity, manager] of managers) {
    const changed = change(manager, identity);
    if (changed === manager) continue;
    result ??= new Map(managers);
    if (changed === undefined) result.delete(identity);
    else result.set(identity, changed);
  }
  return result ?? managers;
}

/** Caches the result per version; most managers have the same one. */
function perVersion<T>(find: (apiVersion: string) => T): (apiVersion: string) => T {
  const known = new Map<string, T>();
  return (apiVersion) => {
    if (!known.has(apiVersion)) known.set(apiVersion, find(apiVersion));
    return known.get(apiVersion) as T;
  };
}

interface Difference extends Comparison {
  /** The union of the three sets. */
  readonly all: FieldSet;
}

function differenceOf(comparison: Comparison): Difference {
  const { removed, modified, added } = comparison;
  return { ...comparison, all: removed.union(modified).union(added) };
}

/** Compares two states, once in each version of a manager. */
function comparisons(
  kind: KindVersions,
  live: KubeObject,
  next: KubeObject,
  version: string,
): (apiVersion: string) => Difference {
  return perVersion((apiVersion) => {
    const [before, after] =
      apiVersion === version
        ? [live, next]
        : [
            withErrorPrefix('failed to convert old object', () => kind.convert(live, apiVersion)),
            withErrorPrefix('failed to convert new object', () => kind.convert(next, apiVersion)),
          ];
    const reset = kind.resetFields(apiVersion);
    const { removed, modified, added } = compareTyped(before, after, requireType(kind, apiVersion));
    return differenceOf({
      removed: removed.recursiveDifference(reset),
      modified: modified.recursiveDifference(reset),
      added: added.recursiveDifference(reset),
    });
  });
}

/** Prefixes the message of a TypedError. */
function withErrorPrefix<T>(prefix: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw new TypedError([{ path: '', message: `${prefix}: ${error.message}` }]);
  }
}

/** Removes items of the actor's previous apply that no manager owns any more. */
function prune(
  kind: KindVersions,
  merged: KubeObject,
  managers: ReadonlyMap<string, Manager>,
  before: Manager | undefined,
  apiVersion: string,
): KubeObject {
  if (before === undefined || before.set.isEmpty) return merged;
  const type = kind.type(before.apiVersion);
  if (type === undefined) return merged;
  const all = kind.convert(merged, before.apiVersion);
  const last = before.set.withDeclaredFields(type);
  const removed = objectOf(removeItems(all, last, type), all);
  const owned = addBackOwnedItems(kind, all, removed, managers, before.apiVersion);
  const rest = addBackDanglingItems(kind.convert(owned, before.apiVersion), all, last, type);
  return kind.convert(rest, apiVersion);
}

/** Upstream's `addBackOwnedItems`: restores removed items that a manager owns, in each version of a manager. */
function addBackOwnedItems(
  kind: KindVersions,
  merged: KubeObject,
  pruned: KubeObject,
  managers: ReadonlyMap<string, Manager>,
  prunedVersion: string,
): KubeObject {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, owned.get(apiVersion)?.union(set) ?? set);
  }
  // The pruned version comes first: conversion to others may need the items restored in it.
  const versions = [...owned.keys()].sort(
    (a, b) => Number(b === prunedVersion) - Number(a === prunedVersion) || compareText(a, b),
  );
  let [all, rest] = [merged, pruned];
  for (const version of versions) {
    const type = kind.type(version);
    if (type === undefined) continue;
    all = kind.convert(all, version);
    rest = kind.convert(rest, version);
    const present = fieldSetOf(all, type).withDeclaredFields(type);
    const remaining = fieldSetOf(rest, type).withDeclaredFields(type);
    const managed = (owned.get(version) as FieldSet).withDeclaredFields(type);
    rest = objectOf(removeItems(all, present.difference(remaining.union(managed)), type), all);
  }
  return rest;
}

/** Upstream's `addBackDanglingItems`: restores items removed with their parent that the actor did not own. */
function addBackDanglingItems(
  pruned: KubeObject,
  merged: KubeObject,
  last: FieldSet,
  type: Type,
): KubeObject {
  const remaining = fieldSetOf(pruned, type).withDeclaredFields(type);
  const present = fieldSetOf(merged, type).withDeclaredFields(type);
  const removed = present.difference(remaining).intersection(last);
  return objectOf(removeItems(merged, removed, type), merged);
}

/** `removeItems` returns null for an object that loses all fields; an object keeps its type. */
function objectOf(value: unknown, fallback: KubeObject): KubeObject {
  return value === null ? ({ ...typeOf(fallback) } as KubeObject) : (value as KubeObject);
}

function typeOf({ apiVersion, kind }: KubeObject): Pick<KubeObject, 'apiVersion' | 'kind'> {
  return { apiVersion, kind };
}

function requireType(kind: KindVersions, apiVersion: string): Type {
  const type = kind.type(apiVersion);
  if (type === undefined) throw new Error(`version ${apiVersion} is not served`);
  return type;
}
