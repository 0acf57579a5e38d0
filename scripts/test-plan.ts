/** Which test files a run has. */
import { type Dirent, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

export type SuiteName = 'default' | 'interop' | 'interop-full' | 'timing';

export interface Suite {
  folders: readonly string[];
  /** Whether a file below the folders belongs to the suite. */
  includes(file: string): boolean;
  /** Bounds for what hangs, with room for a machine at half its speed; a run is meant to take half of them at most. */
  fileTimeoutMs: number;
  totalTimeoutMs: number;
  /** What its tests find in their environment. */
  environment?: Readonly<Record<string, string>>;
}

const MINUTE_MS = 60_000;
/** Needs the real programs. Everything else in interop/ replays what they answered. */
const LIVE = 'interop/live/';
/** Needs them for longer than a change waits for its checks. */
const isFull = (file: string): boolean => file.endsWith('.full.test.ts');
/** Checkers that are checked, and what else takes long and seldom breaks: with the real programs, before a merge. */
const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');
/** Asserts durations: runs alone, in the full tier only. */
const isTiming = (file: string): boolean => file.endsWith('.timing.test.ts');
const ALL_FOLDERS = ['packages', 'samples', 'scripts', 'test', 'interop'];

export const suites: Readonly<Record<SuiteName, Suite>> = {
  default: {
    folders: ALL_FOLDERS,
    includes: (file) => !file.startsWith(LIVE) && !isFull(file) && !isSlow(file) && !isTiming(file),
    fileTimeoutMs: 6 * MINUTE_MS,
    totalTimeoutMs: 30 * MINUTE_MS,
  },
  interop: {
    folders: ALL_FOLDERS,
    includes: (file) => (file.startsWith(LIVE) && !isFull(file)) || isSlow(file),
    fileTimeoutMs: 15 * MINUTE_MS,
    totalTimeoutMs: 45 * MINUTE_MS,
  },
  'interop-full': {
    folders: ALL_FOLDERS,
    includes: (file) => file.startsWith(LIVE) || isFull(file) || isSlow(file),
    fileTimeoutMs: 60 * MINUTE_MS,
    totalTimeoutMs: 180 * MINUTE_MS,
    // Tests with a short form and a long one run the long one.
    environment: { TRIBUTARY_FULL: '1' },
  },
  timing: {
    folders: ALL_FOLDERS,
    includes: isTiming,
    fileTimeoutMs: 15 * MINUTE_MS,
    totalTimeoutMs: 180 * MINUTE_MS,
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

/** Files that a person means: a file, a folder, or a part of a path. Throws for a filter that means nothing. */
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
