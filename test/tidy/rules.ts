/**
 * Rules that the compiler and the linter cannot check. A rule returns objections, each with the file and the
 * repair.
 */

import { boundaries } from './rules/boundaries.ts';
import { deadFiles } from './rules/dead-files.ts';
import {
  exactVersions,
  lockfile,
  lockfileComplete,
  oneVersion,
  reasons,
} from './rules/dependencies.ts';
import {
  adrNumbers,
  changelog,
  documentedPaths,
  errorsReference,
  readmes,
  verifyHasUpdate,
} from './rules/documents.ts';
import { absolutePaths } from './rules/paths.ts';
import { processFlags } from './rules/process-flags.ts';
import { importCycles, rooms } from './rules/rooms.ts';
import { testMarks } from './rules/test-marks.ts';
import { wallClock } from './rules/wall-clock.ts';
import { commentsHaveSubjects, namesUseOurWords } from './rules/words.ts';
import type { Tree } from './tree.ts';

export interface Rule {
  name: string;
  check(tree: Tree): string[];
}

export const rules: readonly Rule[] = [
  { name: 'every package and sample has a README', check: readmes },
  { name: 'no test is singled out, or skipped without a reason', check: testMarks },
  { name: 'no test depends on the wall clock', check: wallClock },
  { name: 'flags of V8 are set in one place', check: processFlags },
  { name: 'every source file is used', check: deadFiles },
  { name: 'imports point one way', check: boundaries },
  { name: 'rooms of a package import only rooms above them', check: rooms },
  { name: 'no module imports itself through others', check: importCycles },
  { name: 'versions of dependencies are exact', check: exactVersions },
  { name: 'every runtime dependency has a reason', check: reasons },
  { name: 'all packages share one version', check: oneVersion },
  { name: 'the lockfile names no registry', check: lockfile },
  { name: 'the lockfile is complete', check: lockfileComplete },
  { name: 'nothing depends on where somebody keeps their files', check: absolutePaths },
  { name: 'files named by the architecture and by READMEs exist', check: documentedPaths },
  { name: 'there is a changelog', check: changelog },
  { name: 'decisions are numbered without gaps', check: adrNumbers },
  { name: 'the reference of errors matches the constructors', check: errorsReference },
  { name: 'every verify script has its update script', check: verifyHasUpdate },
  { name: "names use Kubernetes' words", check: namesUseOurWords },
  { name: 'comments are about the program', check: commentsHaveSubjects },
];
