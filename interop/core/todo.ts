/**
 * Rows of the control plane that do not answer like the original yet, by group, in `todo.json`. The list only shrinks:
 * `interop/core/main.ts --shrink` takes off what is green, and the replay fails for a row on it that is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TodoRows } from '../differential/verdict.ts';

export type TodoFile = Readonly<Record<string, readonly string[]>>;

export const todoFile: string = join(import.meta.dirname, 'todo.json');

/** Why the rows of a group still differ, and with which issue that ends. */
const reasons: Readonly<Record<string, { readonly issue: number; readonly why: string }>> = {};

export const todoRows: readonly TodoRows[] = Object.entries(
  JSON.parse(readFileSync(todoFile, 'utf8')) as TodoFile,
).map(([group, rows]) => ({
  ...(reasons[group] ?? { issue: 6, why: `the control plane, ${group}` }),
  rows,
}));

/** The list without rows that are green now; groups that are done go too. */
export function shrinkTodo(list: TodoFile, green: ReadonlySet<string>): TodoFile {
  return Object.fromEntries(
    Object.entries(list)
      .map(([group, rows]) => [group, rows.filter((row) => !green.has(row))] as const)
      .filter(([, rows]) => rows.length > 0),
  );
}
