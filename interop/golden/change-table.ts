/** Differences between two recordings of the same rows, grouped by change. Pure. */
import { compareResults } from '../differential/compare.ts';
import type { Json } from '../differential/json.ts';
import type { GoldenFile } from './store.ts';

export interface GoldenChange {
  row: string;
  step: string;
  path: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** Rows that exist in both recordings with the same script; a row that was edited says nothing about the original. */
export function describeChanges(before: GoldenFile | undefined, after: GoldenFile): GoldenChange[] {
  return Object.entries(after.rows).flatMap(([row, recorded]) => {
    const earlier = before?.rows[row];
    if (earlier === undefined || earlier.digest !== recorded.digest) return [];
    const found = compareResults({ ours: recorded.responses, reference: earlier.responses });
    return found.map(({ step, path, ours, reference }) => ({
      row,
      step,
      path,
      before: reference,
      after: ours,
    }));
  });
}

const TEXT_MAX = 160;
const ROWS_MAX = 3;

/** One line of the table for each change of a value, with the rows in which it was seen. */
export function groupChanges(changes: readonly GoldenChange[]): string {
  const groups = Map.groupBy(changes, ({ path, before, after }) =>
    JSON.stringify([path, before ?? null, after ?? null]),
  );
  const lines = [...groups.values()].map((group) => line(group));
  const header = '| Rows | Where | Before | After |\n| --- | --- | --- | --- |\n';
  return `${new Set(changes.map(({ row }) => row)).size} rows changed.\n\n${header}${lines.join('')}`;
}

function line(group: readonly GoldenChange[]): string {
  const [first] = group;
  if (first === undefined) return '';
  const names = [...new Set(group.map(({ row }) => row))];
  const more = names.length > ROWS_MAX ? ` and ${names.length - ROWS_MAX} more` : '';
  const rows = names.slice(0, ROWS_MAX).join('; ') + more;
  const cells = [rows, first.path, cell(first.before), cell(first.after)];
  return `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

function cell(value: Json | undefined): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}
