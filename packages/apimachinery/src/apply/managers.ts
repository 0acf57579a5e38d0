import type { ManagedFieldsEntry } from '../object.ts';
import { FieldSet } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1, isCanonicalFieldsV1 } from './fields-v1.ts';
import { compareText } from './path-element.ts';

/** What one manager owns. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339 in seconds; undefined when it never changed anything. */
  readonly time: string | undefined;
  readonly set: FieldSet;
}

/** Managers by identity. */
export type Managers = ReadonlyMap<string, Manager>;

export type ManagerName = Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>;

/**
 * Who is the same manager: one who applies, whatever the version; one who updates, in one version.
 * The text orders managers wherever an order is needed.
 */
export function managerIdentity({ name, operation, apiVersion, subresource }: ManagerName): string {
  const parts = [`"manager":${JSON.stringify(name)}`, `"operation":"${operation}"`];
  if (operation === 'Update') parts.push(`"apiVersion":${JSON.stringify(apiVersion)}`);
  if (subresource !== '') parts.push(`"subresource":${JSON.stringify(subresource)}`);
  return `{${parts.join(',')}}`;
}

/** Wire forms of sets that were read or written, so that what did not change is neither read nor written again. */
const encodings = new WeakMap<FieldSet, ManagedFieldsEntry['fieldsV1']>();
const decodings = new WeakMap<readonly ManagedFieldsEntry[], Managers>();
const entriesOf = new WeakMap<Manager, ManagedFieldsEntry>();

/** Reads `metadata.managedFields`; throws on what is none. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[]): Managers {
  const known = decodings.get(entries);
  if (known !== undefined) return known;
  const managers = new Map<string, Manager>();
  for (const [index, entry] of entries.entries()) {
    const manager = decodeEntry(entry, index);
    managers.set(managerIdentity(manager), manager);
  }
  decodings.set(entries, managers);
  return managers;
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Manager {
  const { manager: name = '', operation, apiVersion = '', time, subresource = '' } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new Error('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new Error('apiVersion must not be empty');
  if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (entry.fieldsType !== 'FieldsV1') {
    const type = JSON.stringify(entry.fieldsType);
    throw new Error(`invalid fieldsType ${type} in managed fields entry ${index}`);
  }
  const set = entry.fieldsV1 === undefined ? FieldSet.empty : decodeFieldsV1(entry.fieldsV1);
  if (isCanonicalFieldsV1(entry.fieldsV1)) encodings.set(set, entry.fieldsV1);
  return { name, operation, apiVersion, subresource, time: time ?? undefined, set };
}

/** As they stand in an object; undefined when there are none. */
export function encodeManagedFields(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries = [...managers.values()].sort(compareManagers).map(entryOf);
  decodings.set(entries, managers);
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
