import type { ManagedFieldsEntry } from '../meta/object.ts';
import { compareText } from '../values/compare-text.ts';
import { equalValues } from './compare.ts';
import { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1, isCanonicalFieldsV1 } from './fields-v1.ts';

/** A decoded entry of managedFields. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339 in seconds; undefined when the manager has not changed anything. */
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** Managers by identity. */
export type Managers = ReadonlyMap<string, Manager>;

export const NO_MANAGERS: Managers = new Map();

export type ManagerName = Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>;

/**
 * Upstream's manager identifier: entries of Apply are the same in all versions, those of Update only in one. It also
 * defines the order of managers.
 */
export function managerIdentity({ name, operation, apiVersion, subresource }: ManagerName): string {
  const manager = `"manager":${JSON.stringify(name)},"operation":"${operation}"`;
  const version = operation === 'Update' ? `,"apiVersion":${JSON.stringify(apiVersion)}` : '';
  const endpoint = subresource === '' ? '' : `,"subresource":${JSON.stringify(subresource)}`;
  return `{${manager}${version}${endpoint}}`;
}

/** Caches in both directions, so that unchanged sets are neither decoded nor encoded again. */
const encodings = new WeakMap<FieldSet, ManagedFieldsEntry['fieldsV1']>();
const decodings = new WeakMap<readonly ManagedFieldsEntry[], Managers>();
const entriesOf = new WeakMap<Manager, ManagedFieldsEntry>();
const listsOf = new WeakMap<Managers, ManagedFieldsEntry[]>();

/**
 * Decodes `metadata.managedFields`; throws for invalid entries. Entries equal to those of `known` managers are not decoded
 * again.
 */
export function decodeManagedFields(
  entries: readonly ManagedFieldsEntry[],
  known: Managers = NO_MANAGERS,
): Managers {
  const decoded = decodings.get(entries);
  if (decoded !== undefined) return decoded;
  const managers = new Map<string, Manager>();
  for (const [index, entry] of entries.entries()) {
    const name = decodeName(entry, index);
    const identity = managerIdentity(name);
    const set = decodeSet(entry, known.get(identity)?.set);
    managers.set(identity, { ...name, time: entry.time ?? undefined, set });
  }
  decodings.set(entries, managers);
  return managers;
}

function decodeName(entry: ManagedFieldsEntry, index: number): ManagerName {
  const { manager: name = '', operation, apiVersion = '', subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new Error('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new Error('apiVersion must not be empty');
  if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (entry.fieldsType !== 'FieldsV1') {
    const type = JSON.stringify(entry.fieldsType);
    throw new Error(`invalid fieldsType ${type} in managed fields entry ${index}`);
  }
  return { name, operation, apiVersion, subresource };
}

function decodeSet({ fieldsV1 }: ManagedFieldsEntry, known: FieldSet | undefined): FieldSet {
  if (fieldsV1 === undefined) return FieldSet.empty;
  if (known !== undefined && equalValues(fieldsV1, encodings.get(known))) return known;
  const set = decodeFieldsV1(fieldsV1);
  if (isCanonicalFieldsV1(fieldsV1)) encodings.set(set, fieldsV1);
  return set;
}

/** Encodes managers as `metadata.managedFields`; undefined without managers. */
export function encodeManagedFields(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  let entries = listsOf.get(managers);
  if (entries === undefined) {
    entries = [...managers.values()].sort(compareManagers).map(entryOf);
    decodings.set(entries, managers);
    listsOf.set(managers, entries);
  }
  return entries;
}

function entryOf(manager: Manager): ManagedFieldsEntry {
  let entry = entriesOf.get(manager);
  if (entry === undefined) {
    entry = encodeEntry(manager);
    entriesOf.set(manager, entry);
  }
  return entry;
}

function encodeEntry({ name, operation, apiVersion, subresource, time, set }: Manager) {
  let fieldsV1 = encodings.get(set);
  if (fieldsV1 === undefined) {
    fieldsV1 = encodeFieldsV1(set);
    encodings.set(set, fieldsV1);
  }
  return {
    manager: name,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1' as const,
    fieldsV1,
    ...(subresource !== '' && { subresource }),
  };
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}
