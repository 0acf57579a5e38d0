import { applyConflict } from '../errors/errors.ts';
import type { StatusCause, StatusError } from '../errors/status.ts';
import { compareText } from '../values/compare-text.ts';
import { goQuote } from '../values/go-quote.ts';
import type { Manager } from './managers.ts';
import { type PathElement, printOwnedPath } from './path-element.ts';

/** A field owned by another manager that an apply would change. */
export interface Conflict {
  readonly identity: string;
  readonly manager: Manager;
  readonly path: readonly PathElement[];
}

/** An apply failed with conflicts. */
export class ApplyConflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('apply conflicts');
    this.name = 'ApplyConflicts';
    this.conflicts = conflicts;
  }
}

/** The Status of an apply with conflicts. Paths decoded from managedFields print differently from computed ones. */
export function conflictStatus(
  conflicts: readonly Conflict[],
  printPath: (path: readonly PathElement[]) => string = printOwnedPath,
): StatusError {
  const causes = conflicts.map(
    ({ manager, path }): StatusCause => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${printManager(manager)}`,
      field: printPath(path),
    }),
  );
  return applyConflict(messageOf(conflicts, printPath), causes);
}

function messageOf(
  conflicts: readonly Conflict[],
  printPath: (path: readonly PathElement[]) => string,
): string {
  const [only] = conflicts;
  if (conflicts.length === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${printManager(only.manager)}: ${printPath(only.path)}`;
  }
  const byManager = Map.groupBy(conflicts, ({ identity }) => identity);
  const lines = [...byManager]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, ofManager]) => [
      `conflicts with ${printManager((ofManager[0] as Conflict).manager)}:`,
      ...ofManager.map(({ path }) => `- ${printPath(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function printManager({ name, operation, apiVersion, subresource }: Manager): string {
  const endpoint = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${goQuote(name)}${endpoint}${version}`;
}
