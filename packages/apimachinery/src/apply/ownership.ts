import type { KubeObject } from '../meta/object.ts';
import { type Comparison, compareTyped, equalValues } from './compare.ts';
import { ApplyConflicts, type Conflict } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { type Manager, type ManagerName, type Managers, managerIdentity } from './managers.ts';
import { mergeTyped } from './merge.ts';
import { compareText } from './path-element.ts';
import { reconcilerOf } from './reconcile.ts';
import { removeItems } from './remove-items.ts';
import type { Type } from './type.ts';
import { TypedError } from './typed-error.ts';
import { requireTyped } from './validate.ts';

/** What is known of a kind: its versions, and how objects get from one to another. */
export interface OwnedKind {
  /** The type of a version's objects; undefined for a version that is not served any more. */
  type(apiVersion: string): Type | undefined;
  /** An object in another version that is served. It is not changed. */
  convert(object: KubeObject, apiVersion: string): KubeObject;
  /** What an endpoint overwrites whatever a client sends, so that nobody owns it through there. */
  resetFields(apiVersion: string): FieldSet;
}

/**
 * Who owns what after an object was changed without regard to ownership: who changed something owns
 * it from `now` on, beside what it owned before, and nobody else does.
 */
export function ownershipAfterUpdate(
  given: OwnedKind,
  live: KubeObject,
  next: KubeObject,
  managers: Managers,
  { actor, now }: { readonly actor: ManagerName; readonly now: string },
): Managers {
  const kind = checkingConversions(given);
  const current = reconciled(kind, managers, live);
  const compare = comparisons(kind, live, next, actor.apiVersion);
  const identity = managerIdentity(actor);
  const { left } = disown(current, compare, identity);
  const { modified, added, removed } = compare(actor.apiVersion);
  const changed = modified.union(added);
  const gained = changed.difference(unownable);
  const before = left.get(identity);
  const owned = (before?.set ?? FieldSet.empty)
    .difference(removed)
    .difference(changed.intersection(unownable))
    .union(gained);
  const time = gained.isEmpty ? before?.time : now;
  if (owned === before?.set && time === before.time) return left;
  return withManager(left, identity, owned.isEmpty ? undefined : { ...actor, time, set: owned });
}

/** Managers after one of them has changed or, if there is none, gone. */
function withManager(managers: Managers, identity: string, manager: Manager | undefined): Managers {
  if (manager === undefined && !managers.has(identity)) return managers;
  const changed = new Map(managers);
  if (manager === undefined) changed.delete(identity);
  else changed.set(identity, manager);
  return changed;
}

/**
 * Merges what a manager wants into the live object. The object is undefined when that changes nothing;
 * the manager then keeps the time at which it last changed something.
 */
export function applyConfiguration(
  given: OwnedKind,
  live: KubeObject,
  config: KubeObject,
  managers: Managers,
  options: { readonly actor: ManagerName; readonly now: string; readonly force: boolean },
): { readonly object: KubeObject | undefined; readonly managers: Managers } {
  const { actor, now, force } = options;
  const kind = checkingConversions(given);
  const identity = managerIdentity(actor);
  const type = requireType(kind, actor.apiVersion);
  const known = reconciled(kind, managers, live);
  const before = known.get(identity);
  const set = fieldSetOf(config, type).recursiveDifference(kind.resetFields(actor.apiVersion));
  const current = withManager(known, identity, { ...actor, time: before?.time, set });
  const merged = mergeTyped(live, config, type) as KubeObject;
  const object = prune(kind, merged, current, before, actor.apiVersion);
  const compare = comparisons(kind, live, object, actor.apiVersion);
  const { left, conflicts } = disown(current, compare, identity);
  if (!force && conflicts.length > 0) throw new ApplyConflicts(conflicts);
  const isChanged = !equalValues(live, object);
  const owned = set.difference(unownable);
  const time = isChanged ? now : before?.time;
  const mine = owned.isEmpty ? undefined : { ...actor, time, set: owned };
  return {
    object: isChanged ? object : undefined,
    managers: withManager(left, identity, mine),
  };
}

/** Fields that tell what an object is, and those that belong to the server. */
const unownable = FieldSet.of(
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

/** Converts an object to a version once, and throws when what comes out does not fit that version's type. */
function checkingConversions(kind: OwnedKind): OwnedKind {
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

/** The sets of managers of versions that are served, as they are owned with the types of today. */
function reconciled(kind: OwnedKind, managers: Managers, live: KubeObject): Managers {
  const of = perVersion((apiVersion) => {
    const type = kind.type(apiVersion);
    // Only to see whether the live object can be had in that version at all.
    if (type !== undefined) kind.convert(live, apiVersion);
    return type && reconcilerOf(type);
  });
  return mapped(managers, (manager) => {
    const set = of(manager.apiVersion)?.(manager.set);
    if (set === undefined) return undefined;
    return set === manager.set ? manager : { ...manager, set };
  });
}

/** Takes from everybody but one what changed between two states, and tells what of it was theirs. */
function disown(
  managers: Managers,
  compare: (apiVersion: string) => Difference,
  exempt: string,
): { left: Managers; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  const left = mapped(managers, (manager, identity) => {
    if (identity === exempt) return manager;
    const { modified, added, removed, touched } = compare(manager.apiVersion);
    // Most managers own nothing of what changed.
    if (manager.set.isDisjointFrom(touched)) return manager;
    const taken = manager.set.intersection(modified).union(manager.set.intersection(added));
    for (const path of taken.paths()) conflicts.push({ identity, manager, path });
    const set = manager.set.difference(taken).difference(removed);
    if (set === manager.set) return manager;
    return set.isEmpty ? undefined : { ...manager, set };
  });
  conflicts.sort((a, b) => compareText(a.identity, b.identity));
  return { left, conflicts };
}

/** What becomes of each manager, or of whoever is left of them; the very same managers when nothing does. */
function mapped(
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

/** Finds what there is to know of a version once; most managers are of the same one. */
function perVersion<T>(find: (apiVersion: string) => T): (apiVersion: string) => T {
  const known = new Map<string, T>();
  return (apiVersion) => {
    if (!known.has(apiVersion)) known.set(apiVersion, find(apiVersion));
    return known.get(apiVersion) as T;
  };
}

interface Difference extends Comparison {
  /** All of it. */
  readonly touched: FieldSet;
}

function differenceOf(comparison: Comparison): Difference {
  const { removed, modified, added } = comparison;
  return { ...comparison, touched: removed.union(modified).union(added) };
}

/** Compares two states in whichever version somebody owns fields in, once each. */
function comparisons(
  kind: OwnedKind,
  live: KubeObject,
  next: KubeObject,
  version: string,
): (apiVersion: string) => Difference {
  return perVersion((apiVersion) => {
    const [before, after] =
      apiVersion === version
        ? [live, next]
        : [
            naming('failed to convert old object', () => kind.convert(live, apiVersion)),
            naming('failed to convert new object', () => kind.convert(next, apiVersion)),
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

/** Tells what failed, in the words of the original. */
function naming<T>(failure: string, attempt: () => T): T {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw new TypedError([{ path: '', message: `${failure}: ${error.message}` }]);
  }
}

/** Removes what the actor applied before and does not apply now, unless anybody owns it. */
function prune(
  kind: OwnedKind,
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
  const without = objectOf(removeItems(all, last, type), all);
  const owned = withOwned(kind, all, without, managers, before.apiVersion);
  const rest = withDangling(kind.convert(owned, before.apiVersion), all, last, type);
  return kind.convert(rest, apiVersion);
}

/** Puts back what others own, in each version in which anybody owns something. */
function withOwned(
  kind: OwnedKind,
  merged: KubeObject,
  pruned: KubeObject,
  managers: ReadonlyMap<string, Manager>,
  prunedVersion: string,
): KubeObject {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, owned.get(apiVersion)?.union(set) ?? set);
  }
  // The version that was pruned first: others may need what is put back there to be converted at all.
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
    const kept = fieldSetOf(rest, type).withDeclaredFields(type);
    const managed = (owned.get(version) as FieldSet).withDeclaredFields(type);
    rest = objectOf(removeItems(all, present.difference(kept.union(managed)), type), all);
  }
  return rest;
}

/** Puts back what was removed along with something, but that the actor never owned. */
function withDangling(
  pruned: KubeObject,
  merged: KubeObject,
  last: FieldSet,
  type: Type,
): KubeObject {
  const kept = fieldSetOf(pruned, type).withDeclaredFields(type);
  const present = fieldSetOf(merged, type).withDeclaredFields(type);
  return objectOf(removeItems(merged, present.difference(kept).intersection(last), type), merged);
}

/** An object never loses its type, so it is never null; that is what the compiler cannot know. */
function objectOf(value: unknown, fallback: KubeObject): KubeObject {
  return value === null ? ({ ...typeOf(fallback) } as KubeObject) : (value as KubeObject);
}

function typeOf({ apiVersion, kind }: KubeObject): Pick<KubeObject, 'apiVersion' | 'kind'> {
  return { apiVersion, kind };
}

function requireType(kind: OwnedKind, apiVersion: string): Type {
  const type = kind.type(apiVersion);
  if (type === undefined) throw new Error(`version ${apiVersion} is not served`);
  return type;
}
