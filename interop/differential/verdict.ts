/** The meaning of two targets' results for a row: equal, known to differ, or a failure. Pure. */

import { compareResults, type Difference, formatDifferences, type Sides } from './compare.ts';
import type { StepResult } from './step-result.ts';

/** Something we do otherwise on purpose. */
export interface DeliberateDifference {
  id: string;
  /** Names of the rows concerned, or a pattern of their names. */
  rows: readonly string[] | RegExp;
  /** Which paths of an answer, as in `body.message` or `headers.content-type`. */
  path: RegExp;
  /** The benefit for a user. */
  benefit: string;
  /** Narrows it further: whether this is the difference that was meant. */
  accepts?: (difference: Difference) => boolean;
}

/** Rows that differ until an issue is done. */
export interface TodoRows {
  issue: number;
  why: string;
  rows: readonly string[];
}

/** A part of many answers that differs until an issue is done. */
export interface TodoPath {
  id: string;
  issue: number;
  why: string;
  path: RegExp;
  accepts?: (difference: Difference) => boolean;
}

export interface Lists {
  differences: readonly DeliberateDifference[];
  todoRows: readonly TodoRows[];
  todoPaths: readonly TodoPath[];
}

export interface Verdict {
  row: string;
  outcome: 'green' | 'todo' | 'failed';
  /** Ids of list entries that explained a difference. */
  used: readonly string[];
  /** For a failure, what to read and what to do. */
  message: string;
}

export function compareRow(
  row: string,
  sides: Sides<readonly StepResult[]>,
  lists: Lists,
): Verdict {
  const used = new Set<string>();
  const unexplained = compareResults(sides).filter((difference) => {
    const ids = explanations({ row, difference }, lists);
    for (const id of ids) used.add(id);
    return ids.length === 0;
  });
  return { row, used: [...used], ...decide(row, unexplained, lists) };
}

function decide(
  row: string,
  unexplained: readonly Difference[],
  { todoRows }: Lists,
): Pick<Verdict, 'outcome' | 'message'> {
  const todo = todoRows.find(({ rows }) => rows.includes(row));
  if (unexplained.length === 0) {
    if (todo === undefined) return { outcome: 'green', message: '' };
    const message = `"${row}" answers like the original now: remove it from the to-do list`;
    return { outcome: 'failed', message };
  }
  const message = `"${row}" differs from the original\n${formatDifferences(unexplained)}`;
  return { outcome: todo === undefined ? 'failed' : 'todo', message };
}

function explanations(
  { row, difference }: { row: string; difference: Difference },
  { differences, todoPaths }: Lists,
): string[] {
  const fits = (entry: DeliberateDifference | TodoPath): boolean =>
    entry.path.test(difference.path) && (entry.accepts?.(difference) ?? true);
  return [
    ...differences.filter((entry) => concerns(entry, row) && fits(entry)),
    ...todoPaths.filter(fits),
  ].map(({ id }) => id);
}

function concerns({ rows }: DeliberateDifference, row: string): boolean {
  return rows instanceof RegExp ? rows.test(row) : rows.includes(row);
}

/** Entries of the lists that no row needs any more, as sentences. */
export function staleEntries(verdicts: readonly Verdict[], lists: Lists): string[] {
  const used = new Set(verdicts.flatMap((verdict) => verdict.used));
  const known = new Set(verdicts.map(({ row }) => row));
  return [
    ...lists.differences
      .filter(({ id }) => !used.has(id))
      .map(({ id }) => `deliberate difference "${id}" matches nothing: remove it`),
    ...lists.todoPaths
      .filter(({ id }) => !used.has(id))
      .map(({ id }) => `to-do "${id}" matches nothing: remove it`),
    ...lists.todoRows
      .flatMap(({ rows }) => rows)
      .filter((row) => !known.has(row))
      .map((row) => `to-do row "${row}" does not exist: remove it`),
  ];
}

export interface Counts {
  green: number;
  todo: number;
  failed: number;
}

export function countOutcomes(verdicts: readonly Verdict[]): Counts {
  const count = (outcome: Verdict['outcome']): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  return { green: count('green'), todo: count('todo'), failed: count('failed') };
}

export function describeCounts({ green, todo, failed }: Counts): string {
  const total = green + todo + failed;
  return `${total} rows: ${green} green, ${todo} on the to-do list, ${failed} failed`;
}
