/**
 * Results of Go's structured-merge-diff v6.3.3 and the field manager of k8s.io/apimachinery v0.36.3, by which every
 * expected result was generated. Schemas are named after their rows in `types.json`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaType } from '../src/apply/schema-type.ts';
import type { Type } from '../src/apply/type.ts';
import { parseJson } from '../src/json/parse-json.ts';

type Json = Readonly<Record<string, unknown>>;

interface Rows<Row> {
  readonly rows: readonly Row[];
}

export const typeFacts =
  read<Rows<{ name: string; schema: Json; type: Json | null }>>('types').rows;

export const fieldSetFacts =
  read<
    Rows<{ name: string; schema: string; value: unknown; set: string; paths: readonly string[] }>
  >('field-sets').rows;

export const validationFacts =
  read<
    Rows<{
      name: string;
      schema: string;
      value: unknown;
      allowDuplicates?: boolean;
      error: string | null;
    }>
  >('validation').rows;

export const pairFacts =
  read<
    Rows<{
      name: string;
      schema: string;
      before: unknown;
      after: unknown;
      merged: unknown;
      removed: Json;
      modified: Json;
      added: Json;
    }>
  >('pairs').rows;

/** Each letter is an item. */
export const listOrderFacts =
  read<Rows<{ live: string; config: string; set: string; items: string }>>('list-order').rows;

export const setFacts =
  read<
    Rows<{
      operation: 'remove' | 'reconcile' | 'ensure';
      name: string;
      schema: string;
      value?: unknown;
      set: Json;
      want: unknown;
    }>
  >('sets').rows;

export type WantedManager = readonly [
  manager: string,
  operation: string,
  version: string,
  subresource: string,
  time: 'timed' | 'never',
  fieldsV1: Json,
];

export interface HistoryStep {
  readonly op: 'apply' | 'update';
  readonly manager: string;
  readonly version: string;
  readonly subresource: string;
  readonly force?: boolean;
  readonly object: Json;
  readonly want:
    | { readonly error: string; readonly code?: number; readonly causes?: [string, string][] }
    | { readonly content: Json; readonly metadata?: Json; readonly managers: WantedManager[] };
}

export const historyFacts = read<{
  readonly fields: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** By version: the names of spec fields that differ from those in v1. */
  readonly renames: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly histories: readonly { name: string; reset?: string[]; steps: HistoryStep[] }[];
}>('histories');

const types: ReadonlyMap<string, Type> = new Map(
  typeFacts.map(({ name, schema }) => [name, schemaType(schema)]),
);

export function namedType(name: string): Type {
  const type = types.get(name);
  if (type === undefined) throw new Error(`unknown type ${name}`);
  return type;
}

function read<T>(name: string): T {
  const path = join(import.meta.dirname, 'fixtures', 'apply', `${name}.json`);
  return parseJson(readFileSync(path)) as T;
}
