/** Edits that a client makes between reading and writing an object. */
import type { Edit, Json, JsonObject, SentManagedFields } from './step.ts';
import { isObject } from './values.ts';

export function edited(object: JsonObject, edits: readonly Edit[]): JsonObject {
  return edits.reduce((one, edit) => editedAt(one, edit.path, edit) as JsonObject, object);
}

function editedAt(value: Json | undefined, path: Edit['path'], edit: Edit): Json {
  const [name, ...rest] = path;
  if (name === undefined) return edit.op === 'set' ? edit.value : null;
  const before = isObject(value) ? value : {};
  if (rest.length > 0) {
    if (edit.op === 'remove' && !isObject(before[name])) return before;
    return { ...before, [name]: editedAt(before[name], rest, edit) };
  }
  if (edit.op === 'set') return { ...before, [name]: edit.value };
  const { [name]: _gone, ...retained } = before;
  return retained;
}

type Entry = JsonObject;

export function withSentManagedFields(object: JsonObject, how: SentManagedFields): JsonObject {
  const metadata = (object.metadata ?? {}) as JsonObject;
  const entries = (metadata.managedFields ?? []) as readonly Entry[];
  switch (how) {
    case 'kept':
      return object;
    case 'dropped':
      return edited(object, [{ op: 'remove', path: ['metadata', 'managedFields'] }]);
    case 'emptied':
      return withEntries(object, []);
    case 'blank':
      return withEntries(object, [{}]);
    case 'aged':
      return withEntries(object, entries.toSorted(byIdentity).map(aged));
    case 'broken':
      return withEntries(object, [{ manager: 'one', operation: 'Nothing' }]);
    case 'crowded':
      return withEntries(object, [
        ...entries.toSorted(byIdentity).map(aged),
        ...crowd(String(object.apiVersion)),
      ]);
  }
}

function withEntries(object: JsonObject, managedFields: readonly Entry[]): JsonObject {
  return edited(object, [{ op: 'set', path: ['metadata', 'managedFields'], value: managedFields }]);
}

/** Entries that have no time stay without. */
function aged(entry: Entry, index: number): Entry {
  return entry.time === undefined ? entry : { ...entry, time: longAgo(index) };
}

export function longAgo(second: number): string {
  return `2001-01-01T00:00:${String(second % 60).padStart(2, '0')}Z`;
}

const CROWD = 10;

function crowd(apiVersion: string): Entry[] {
  return Array.from({ length: CROWD }, (_, index) => ({
    manager: `crowd-${index}`,
    operation: 'Update',
    apiVersion,
    time: longAgo(30 + index),
    fieldsType: 'FieldsV1',
    fieldsV1: {
      'f:metadata': { 'f:labels': { 'f:x': {}, [`f:crowd-${index}`]: {} } },
      ...(index % 3 === 0 && { 'f:spec': { 'f:text': {} } }),
    },
  }));
}

export function byIdentity(a: Entry, b: Entry): number {
  return identity(a) < identity(b) ? -1 : 1;
}

function identity({ operation, manager, apiVersion, subresource }: Entry): string {
  return [operation, manager, apiVersion, subresource].join('\n');
}
