import { blankLiterals } from '../source.ts';
import type { Tree } from '../tree.ts';

/** The only file that changes a V8 flag while the process runs; its comment explains why that is safe. */
const ALLOWED = 'packages/server/src/program/pretenuring.ts';

/** V8 flags are global to the process: two threads that set and reset one race. */
export function processFlags(tree: Tree): string[] {
  return tree.files
    .filter((path) => /^(?:packages|samples)\/[^/]+\/src\/.*\.ts$/.test(path))
    .filter((path) => !path.endsWith('.test.ts') && path !== ALLOWED)
    .filter((path) => /\bsetFlagsFromString\b/.test(blankLiterals(tree.read(path))))
    .map((path) => `${path} sets a flag of the process: only ${ALLOWED} does, on the main thread`);
}
