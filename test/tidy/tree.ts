/** The files that rules check: the repository, or a few lines in a test of the rules. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Tree {
  /** Sorted paths relative to the root. */
  readonly files: readonly string[];
  has(path: string): boolean;
  /** The text of a file; empty when it does not exist. */
  read(path: string): string;
}

/** Every file that git does not ignore, committed or not. */
export function repositoryTree(root: string): Tree {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const files = listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
  return createTree(files, (path) => readFileSync(join(root, path), 'utf8'));
}

export function treeOf(contents: Readonly<Record<string, string>>): Tree {
  return createTree(Object.keys(contents), (path) => contents[path] ?? '');
}

function createTree(files: readonly string[], read: (path: string) => string): Tree {
  const sorted = files.toSorted();
  const present = new Set(sorted);
  const cache = new Map<string, string>();
  return {
    files: sorted,
    has: (path) => present.has(path),
    read: (path) => {
      const known = cache.get(path);
      if (known !== undefined || !present.has(path)) return known ?? '';
      const text = read(path);
      cache.set(path, text);
      return text;
    },
  };
}

/** Folders of packages and samples: those with a package.json. */
export function workspaceFolders(tree: Tree): string[] {
  return tree.files
    .filter((path) => /^(packages|samples)\/[^/]+\/package\.json$/.test(path))
    .map((path) => path.slice(0, -'/package.json'.length));
}
