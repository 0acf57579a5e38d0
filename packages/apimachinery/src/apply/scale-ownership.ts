import type { ManagedFieldsEntry } from '../meta/object.ts';
import { FieldSet } from './field-set.ts';
import { decodeManagedFields, encodeManagedFields, type Manager } from './managers.ts';
import type { PathElement } from './path-element.ts';

const SCALE_API_VERSION = 'autoscaling/v1';
const REPLICAS_IN_SCALE: readonly PathElement[] = ['f:spec', 'f:replicas'];

/** The path of the replicas in each served version of a kind; undefined where it is unknown. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[] | undefined>;

type Entries = readonly ManagedFieldsEntry[];

/** The managedFields of an object's Scale: managers that own the replicas. */
export function scaleManagedFields(parent: Entries, paths: ReplicasPaths): Entries | undefined {
  const owners = new Map<string, Manager>();
  for (const [identity, manager] of decodeManagedFields(parent)) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !manager.set.has(path)) continue;
    const set = FieldSet.of(REPLICAS_IN_SCALE);
    owners.set(identity, { ...manager, apiVersion: SCALE_API_VERSION, set });
  }
  return copied(encodeManagedFields(owners));
}

/**
 * The managedFields of an object after a write of its Scale. As upstream, a manager that gains the replicas has no time,
 * and an Update manager that retains them gets a separate entry for them.
 */
export function parentManagedFields(
  parent: Entries,
  scale: Entries,
  { paths, apiVersion }: { readonly paths: ReplicasPaths; readonly apiVersion: string },
): Entries | undefined {
  const before = decodeManagedFields(parent);
  const owners = new Map(decodeManagedFields(scale));
  const after = new Map<string, Manager>();
  for (const [identity, manager] of before) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !manager.set.has(path) || owners.delete(identity)) {
      after.set(identity, manager);
      continue;
    }
    const set = manager.set.difference(FieldSet.of(path));
    if (!set.isEmpty) after.set(identity, { ...manager, set });
  }
  const replicas = paths.get(apiVersion);
  if (replicas === undefined) throw new Error(`${apiVersion} has no replicas path`);
  for (const [identity, manager] of owners) {
    if (!manager.set.has(REPLICAS_IN_SCALE)) continue;
    const { time } = before.get(identity) ?? { time: undefined };
    after.set(identity, { ...manager, apiVersion, time, set: FieldSet.of(replicas) });
  }
  return copied(encodeManagedFields(after));
}

/** A copy is not in the decoding cache: the entries must be decoded as encoded here, with other identities. */
function copied(entries: Entries | undefined): Entries | undefined {
  return entries && [...entries];
}
