import { blankLiterals } from '../source.ts';
import type { Tree } from '../tree.ts';

/** The only place that changes a flag of V8 while the process runs; its comment says why that is safe there. */
const ALLOWED = 'packages/server/src/program/young-requests.ts';

/** Flags of V8 belong to the process, whichever thread sets them: two threads that set and reset one race. */
export function processFlags(tree: Tree): string[] {
  return tree.files
    .filter((path) => /^(?:packages|samples)\/[^/]+\/src\/.*\.ts$/.test(path))
    .filter((path) => !path.endsWith('.test.ts') && path !== ALLOWED)
    .filter((path) => /\bsetFlagsFromString\b/.test(blankLiterals(tree.read(path))))
    .map((path) => `${path} sets a flag of the process: only ${ALLOWED} does, on the main thread`);
}
