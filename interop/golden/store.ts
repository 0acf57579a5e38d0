/** Golden answers on disk: what the original said, normalised, with its version. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isArray, isObject, type Json, sortedEntries } from '../differential/json.ts';
import type { Row, RowGroup } from '../differential/row.ts';
import type { StepResult } from '../differential/step-result.ts';
import { goldenDir } from '../differential/suite.ts';

export interface RecordedRow {
  /** Of the row's script: an edited row must be recorded again. */
  digest: string;
  responses: readonly StepResult[];
}

export interface GoldenFile {
  program: string;
  version: string;
  rows: Readonly<Record<string, RecordedRow>>;
}

export function rowDigest(row: Row): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 12);
}

/** Every recorded row by name. */
export async function readGolden(folder: string = goldenDir): Promise<Map<string, RecordedRow>> {
  const files = await readGoldenFiles(folder);
  return new Map(files.flatMap(({ rows }) => Object.entries(rows)));
}

export async function readGoldenFiles(folder: string = goldenDir): Promise<GoldenFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.map((text) => JSON.parse(text) as GoldenFile);
}

/** The answers of a row as recorded; an error says what to do when there are none or the row is another now. */
export function recordedResponses(
  golden: ReadonlyMap<string, RecordedRow>,
  row: Row,
): readonly StepResult[] {
  const recorded = golden.get(row.name);
  if (recorded === undefined) {
    throw new Error(`no golden answers for "${row.name}"; run: npm run golden:record`);
  }
  if (recorded.digest !== rowDigest(row)) {
    throw new Error(`"${row.name}" has changed since it was recorded; run: npm run golden:record`);
  }
  return recorded.responses;
}

/** Steps that were not sent or broke, with the reason. */
export function failedSteps(responses: readonly StepResult[]): { step: string; why: string }[] {
  return responses.flatMap(({ step, skipped, broken, during }) => {
    const why = skipped ?? broken;
    const inner = isArray(during) ? failedSteps(during as readonly StepResult[]) : [];
    return why === undefined ? inner : [{ step, why: String(why) }, ...inner];
  });
}

export interface Recording {
  program: string;
  version: string;
  responses: ReadonlyMap<string, readonly StepResult[]>;
}

/** One file per group; files of groups that are gone go too. */
export async function writeGolden(
  groups: readonly RowGroup[],
  recording: Recording,
  folder: string = goldenDir,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (name.endsWith('.json')) await rm(join(folder, name));
  }
  for (const group of groups) {
    await writeFile(join(folder, `${group.name}.json`), formatGroup(group, recording));
  }
}

export function formatGroup(group: RowGroup, { program, version, responses }: Recording): string {
  const rows = group.rows.map((row): [string, RecordedRow] => [
    row.name,
    { digest: rowDigest(row), responses: responses.get(row.name) ?? [] },
  ]);
  const file: GoldenFile = { program, version, rows: Object.fromEntries(rows) };
  return `${formatJson(file as unknown as Json, '')}\n`;
}

const LINE_MAX = 100;

/** Like Prettier for JSON: what fits on a line stays on it, so that a difference shows in few lines. */
function formatJson(value: Json, indent: string): string {
  const flat = formatFlat(value);
  if (indent.length + flat.length <= LINE_MAX) return flat;
  const inner = `${indent}  `;
  if (isArray(value)) {
    const items = value.map((item) => inner + formatJson(item, inner));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const entries = orderedEntries(value).map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatJson(item, inner)}`,
    );
    return `{\n${entries.join(',\n')}\n${indent}}`;
  }
  return flat;
}

function formatFlat(value: Json): string {
  if (isArray(value)) return `[${value.map(formatFlat).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = orderedEntries(value);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${formatFlat(item)}`).join(', ')} }`;
}

const FIRST = [
  'program',
  'version',
  'digest',
  'step',
  'request',
  'status',
  'headers',
  'layout',
  'type',
];

/** An answer reads from the request down; everything else is sorted. */
function orderedEntries(object: { readonly [key: string]: Json }): [string, Json][] {
  const rank = (key: string): number => {
    const index = FIRST.indexOf(key);
    return index === -1 ? FIRST.length : index;
  };
  return sortedEntries(object).sort(([a], [b]) => rank(a) - rank(b));
}
