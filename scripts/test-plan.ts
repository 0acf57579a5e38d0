/** Which test files a run has, and in which processes they run. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export type SuiteName = 'default' | 'interop' | 'full' | 'timing';

export interface Suite {
  folders: readonly string[];
  /** Whether a file below the folders belongs to the suite. */
  includes(file: string): boolean;
  /** Bounds for what hangs, with room for a machine at a quarter of its speed. */
  fileTimeoutMs: number;
  totalTimeoutMs: number;
  /** Added to the environment of its tests. */
  environment?: Readonly<Record<string, string>>;
  /** Its files run one at a time, with nothing beside them. */
  alone?: boolean;
}

const MINUTE_MS = 60_000;
/** Needs the real programs. Everything else in interop/ replays what they answered. */
const isLive = (file: string): boolean => file.startsWith('interop/live/');
/** Takes longer than a change waits for its checks. */
const isFull = (file: string): boolean => file.endsWith('.full.test.ts');
/** Checkers that are checked, and what else takes long and seldom breaks: before a merge. */
const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');
/** Asserts durations: runs alone. */
const isTiming = (file: string): boolean => file.endsWith('.timing.test.ts');
const folders = ['packages', 'samples', 'scripts', 'test', 'interop'];

/** `npm test` runs the first, `.ci/run` the first two, `npm run test:full` all of them. */
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
    return []; // A folder that does not exist yet has no tests yet.
  }
}

/** Files that a person means: a file, a folder, or a part of a path. Throws for a filter that matches nothing. */
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

/** One process: a file of its own, or unit files that share it. */
export interface Job {
  files: readonly string[];
  /** Expected, from earlier runs. */
  seconds: number;
}

export interface PlanOptions {
  root: string;
  /** Seconds by file, of an earlier run; a file without an entry is short. */
  durations: Readonly<Record<string, number>>;
  /** Whether unit files share a process; a run of single tests by name does not need it. */
  share: boolean;
  /** Orders jobs, and files within a process, instead of the longest first. */
  shuffle?: (<T>(items: readonly T[]) => T[]) | undefined;
}

const SHORT_SECONDS = 0.2;
/** A process of many files ends early enough that no core idles at the end of a run. */
const SHARED_SECONDS_MAX = 20;

/** The longest first, so that the run does not end with one core waiting for the other. */
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
 * The process that a file shares with others: unit tests of one package, whose modules are then loaded once. A file
 * that needs flags of Node, or a process of its own for another reason, says so in a line of its own.
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
