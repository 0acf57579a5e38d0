/** A difference as a person reads it: how to repeat it, what was done, and where the sides differ. */
import type { Finding } from './compare-histories.ts';
import { isObject } from './values.ts';

export function describeFinding({ seed, history, difference }: Finding): string {
  const [ours, theirs] = difference.seen;
  return [
    `histories differ; repeat with APPLY_SEED=${seed} APPLY_HISTORIES=1, or keep it in interop/apply/cases.ts:`,
    ...history.map((step) => `  ${JSON.stringify(step)}`),
    ...unequal(ours, theirs, ''),
  ].join('\n');
}

function unequal(ours: unknown, theirs: unknown, path: string): string[] {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  const [left, right] = [membersOf(ours), membersOf(theirs)];
  if (left === undefined || right === undefined) {
    return [`  ${path}`, `    ours      ${shown(ours)}`, `    original  ${shown(theirs)}`];
  }
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].flatMap((name) => unequal(left[name], right[name], `${path}/${name}`));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (Array.isArray(value)) return Object.fromEntries(Object.entries(value));
  return isObject(value) ? value : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
