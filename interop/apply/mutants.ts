/** Servers that are wrong in one way each, to see that comparing histories finds them. */
import type { Side, SideResponse } from './side.ts';
import type { JsonObject } from './step.ts';
import { isObject } from './values.ts';

type Entry = Readonly<Record<string, unknown>>;

export interface Mutant {
  readonly name: string;
  /** Changes the managedFields entries of an object. */
  readonly entries: (entries: readonly Entry[]) => readonly Entry[];
}

const last = (entries: readonly Entry[], change: (entry: Entry) => Entry): readonly Entry[] =>
  entries.map((entry, index) => (index === entries.length - 1 ? change(entry) : entry));

export const mutants: readonly Mutant[] = [
  {
    name: 'the time is dropped',
    entries: (entries) => last(entries, ({ time: _time, ...entry }) => entry),
  },
  {
    name: 'a time of long ago is renewed',
    entries: (entries) =>
      entries.map((entry) =>
        String(entry.time).startsWith('2001') ? { ...entry, time: '2030-01-01T00:00:00Z' } : entry,
      ),
  },
  {
    name: 'a field is not owned',
    entries: (entries) =>
      last(entries, (entry) => ({
        ...entry,
        fieldsV1: withoutFirst(entry.fieldsV1 as JsonObject),
      })),
  },
  {
    name: 'the owner is another one',
    entries: (entries) =>
      last(entries, (entry) => ({ ...entry, manager: entry.manager === 'one' ? 'two' : 'one' })),
  },
  {
    name: 'an apply is an update',
    entries: (entries) =>
      entries.map((entry) =>
        entry.operation === 'Apply' ? { ...entry, operation: 'Update' } : entry,
      ),
  },
  {
    name: 'the version is that of the request',
    entries: (entries) => last(entries, (entry) => ({ ...entry, apiVersion: 'other/v1' })),
  },
  {
    name: 'the subresource is not told',
    entries: (entries) => entries.map(({ subresource: _subresource, ...entry }) => entry),
  },
  {
    name: 'a set is written in another order',
    entries: (entries) =>
      entries.map((entry) => ({ ...entry, fieldsV1: reversed(entry.fieldsV1 as JsonObject) })),
  },
  { name: 'entries are in another order', entries: (entries) => entries.toReversed() },
  { name: 'an entry is missing', entries: (entries) => entries.slice(1) },
];

export function mutatedSide(side: Side, { entries }: Mutant): Side {
  const mutated = ({ code, body }: SideResponse): SideResponse => {
    if (!isObject(body) || !isObject(body.metadata)) return { code, body };
    const { managedFields } = body.metadata;
    if (!Array.isArray(managedFields)) return { code, body };
    const changed = entries(managedFields as Entry[]);
    return { code, body: { ...body, metadata: { ...body.metadata, managedFields: changed } } };
  };
  return { ...side, send: async (sent) => mutated(await side.send(sent)) };
}

function withoutFirst(fields: JsonObject): JsonObject {
  const [first, ...rest] = Object.entries(fields);
  if (first === undefined) return fields;
  const [name, below] = first;
  const inner = withoutFirst(below as JsonObject);
  const isLeaf = Object.keys(inner).length === 0;
  return Object.fromEntries(isLeaf ? rest : [[name, inner], ...rest]);
}

function reversed(fields: JsonObject): JsonObject {
  const entries = Object.entries(fields).toReversed();
  return Object.fromEntries(entries.map(([name, below]) => [name, reversed(below as JsonObject)]));
}
