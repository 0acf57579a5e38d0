/** Plans which test files a run has, and in which processes. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export type SuiteName = 'default' | 'interop' | 'full' | 'timing';

export interface Suite {
  folders: readonly string[];
  /** Whether a file below the folders belongs to the suite. */
  includes(file: string): boolean;
  /** Bounds for hanging files and tests, with room for a machine at a quarter of the speed. */
  fileTimeoutMs: number;
  totalTimeoutMs: number;
  /** Added to the environment of its tests. */
  environment?: Readonly<Record<string, string>>;
  /** Its files run one at a time. */
  alone?: boolean;
}

const MINUTE_MS = 60_000;
/** Needs the real programs. All other tests in interop/ replay recorded responses. */
const isLive = (file: string): boolean => file.startsWith('interop/live/');
/** Takes longer than a merge waits. */
const isFull = (file: string): boolean => file.endsWith('.full.test.ts');
/** Tests of the checkers, and other long tests that seldom fail: they run before a merge. */
const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');
/** Asserts durations, so it runs alone. */
const isTiming = (file: string): boolean => file.endsWith('.timing.test.ts');
const folders = ['packages', 'samples', 'scripts', 'test', 'interop'];

/** `npm test` runs the first suite, `.ci/run` the first two, `npm run test:full` all. */
export const suites: Readonly<Record<SuiteName, Suite>> = {
  default: {
    folders,
    includes: (file) => ![isLive, isFull, isSlow, isTiming].some((matches) => matches(file)),
    fileTimeoutMs: 15 * MINUTE_MS,
    totalTimeoutMs: 60 * MINUTE_MS,
  },
  interop: {
    folders,
    includes: (file) => (isLive(file) || isSlow(file)) && !isFull(file) && !isTiming(file),
    fileTimeoutMs: 20 * MINUTE_MS,
    totalTimeoutMs: 70 * MINUTE_MS,
  },
  full: {
    folders,
    includes: (file) => !isTiming(file),
    fileTimeoutMs: 60 * MINUTE_MS,
    totalTimeoutMs: 600 * MINUTE_MS,
    // Tests with a short form and a long one run the long one.
    environment: { TRIBUTARY_FULL: '1' },
  },
  timing: {
    folders,
    includes: isTiming,
    fileTimeoutMs: 15 * MINUTE_MS,
    totalTimeoutMs: 180 * MINUTE_MS,
    environment: { TRIBUTARY_FULL: '1' },
    alone: true,
  },
};

/** Sorted paths relative to the root, with forward slashes. */
export function findTestFiles(root: string, { folders, includes }: Suite): string[] {
  return folders
    .flatMap((folder) => walk(join(root, folder)))
    .map((path) => relative(root, path))
    .filter(includes)
    .sort();
}

const IGNORED = new Set(['node_modules', 'dist', 'fixtures']);

function walk(folder: string): string[] {
  return listFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return IGNORED.has(entry.name) ? [] : walk(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // A folder that does not exist yet has no tests.
  }
}

/** Files selected by a filter: a file, a folder, or a part of a path. Throws for a filter without a match. */
export function selectFiles(files: readonly string[], filters: readonly string[]): string[] {
  if (filters.length === 0) return [...files];
  const selected = new Set(filters.flatMap((filter) => matching(files, filter)));
  return files.filter((file) => selected.has(file));
}

function matching(files: readonly string[], filter: string): string[] {
  const path = filter.replace(/^\.\//, '').replace(/\/$/, '');
  const exact = files.filter(
    (file) => file === path || file === `${path}.test.ts` || file.startsWith(`${path}/`),
  );
  const found = exact.length > 0 ? exact : files.filter((file) => file.includes(path));
  if (found.length === 0) throw new Error(`no test file matches ${filter}`);
  return found;
}

/** One process: a single file, or unit files that share it. */
export interface Job {
  files: readonly string[];
  /** Expected, from earlier runs. */
  seconds: number;
}

export interface PlanOptions {
  root: string;
  /** Seconds by file, of an earlier run; a file without an entry counts as short. */
  durations: Readonly<Record<string, number>>;
  /** Whether unit files share a process; false when tests are selected by name. */
  share: boolean;
  /** Orders jobs, and files in a process, instead of the longest first. */
  shuffle?: (<T>(items: readonly T[]) => T[]) | undefined;
}

const SHORT_SECONDS = 0.2;
/** A process of many files ends early enough that no core is idle at the end of a run. */
const SHARED_SECONDS_MAX = 20;

/** The longest job first, so that a run does not end with one long job. */
export function planJobs(files: readonly string[], options: PlanOptions): Job[] {
  const { root, durations, share, shuffle } = options;
  const secondsOf = (file: string): number => durations[file] ?? SHORT_SECONDS;
  const ordered = shuffle?.(files) ?? files;
  const groups = Map.groupBy(ordered, (file) => (share ? sharedProcess(root, file) : undefined));
  const alone = (groups.get(undefined) ?? []).map((file) => ({
    files: [file],
    seconds: secondsOf(file),
  }));
  groups.delete(undefined);
  const shared = [...groups.values()].flatMap((group) => split(group, secondsOf));
  const jobs = [...alone, ...shared];
  return shuffle?.(jobs) ?? jobs.toSorted((a, b) => b.seconds - a.seconds);
}

/**
 * The name of the process that a file shares: unit tests of one package, whose modules load only once. Undefined
 * for a file that needs Node flags or a process of its own.
 */
function sharedProcess(root: string, file: string): string | undefined {
  const [, name] = /^((?:packages|samples)\/[^/]+)\/src\//.exec(file) ?? [];
  if (name === undefined || isSlow(file)) return undefined;
  const source = readFileSync(join(root, file), 'utf8');
  return /^\/\/ (?:Flags: --|Own process: )/m.test(source) ? undefined : name;
}

function split(files: readonly string[], secondsOf: (file: string) => number): Job[] {
  const jobs: { files: string[]; seconds: number }[] = [];
  for (const file of files) {
    const seconds = secondsOf(file);
    const last = jobs.at(-1);
    if (last === undefined || last.seconds + seconds > SHARED_SECONDS_MAX) {
      jobs.push({ files: [file], seconds });
    } else {
      last.files.push(file);
      last.seconds += seconds;
    }
  }
  return jobs;
}
