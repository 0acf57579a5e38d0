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
const reasons: Readonly<Record<string, { readonly issue: number; readonly why: string }>> = {
  discovery: { issue: 7, why: 'services/proxy comes with the proxy of the aggregator' },
  secrets: { issue: 8, why: 'an empty map that was sent is not told from none' },
  'openapi-documents': { issue: 9, why: 'a kind that another kind contains loses its name in v2' },
  'stored-core': {
    issue: 9,
    why: 'no lines of what changed in a spec, no finalizers that protect volumes, no orphans by default, no times in the answer of a deleted pod, no selector in the scale of a map',
  },
  'stored-apps': {
    issue: 9,
    why: 'Tables have an annotation that upstream makes when it converts',
  },
  'stored-batch': { issue: 9, why: 'a deleted Job does not leave its pods behind by default' },
  'stored-autoscaling': {
    issue: 9,
    why: 'Tables have annotations that upstream makes when it converts',
  },
  'stored-storage': {
    issue: 9,
    why: 'no finalizers that protect classes, no format of a second name',
  },
};

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
