/** Finds source files that only their unit test uses. */
import { posix } from 'node:path';
import { importsOf } from '../source.ts';
import { type Tree, workspaceFolders } from '../tree.ts';

export function deadFiles(tree: Tree): string[] {
  const code = tree.files.filter((path) => /\.(ts|js|mjs)$/.test(path) && !path.endsWith('.d.ts'));
  const reached = reachable(tree, roots(tree, code));
  const packages = workspaceFolders(tree).map((folder) => `${folder}/src/`);
  const checked = [...packages, 'bench/', 'interop/', 'scripts/', 'test/'];
  return code
    .filter((path) => checked.some((folder) => path.startsWith(folder)))
    .filter((path) => !path.endsWith('.test.ts') && !path.includes('/fixtures/'))
    .filter((path) => !reached.has(path))
    .map((path) => `${path} is not reachable from an entry point, a script or another file's test`);
}

/** Tests, entry points of packages, programs of launchers, and scripts of package.json. */
function roots(tree: Tree, code: readonly string[]): string[] {
  const manifests = tree.files.filter((path) => posix.basename(path) === 'package.json');
  const named = manifests.flatMap((path) => namedIn(tree, path, code));
  const launchers = code.filter((path) => /^(packages|samples)\/[^/]+\/bin\//.test(path));
  const programs = launchers.flatMap((path) => launched(tree, path));
  const tests = code.filter((path) => path.endsWith('.test.ts'));
  const questions = code.filter((path) => /^bench\/[^/]+\.ts$/.test(path)); // One script per benchmark.
  return [...named, ...launchers, ...programs, ...tests, ...questions];
}

/** Files that a package.json names: exports (also patterns such as `./src/*.ts`), bin, scripts. */
function namedIn(tree: Tree, manifest: string, code: readonly string[]): string[] {
  const folder = posix.dirname(manifest);
  const words = tree.read(manifest).match(/[\w./*-]+\.(?:ts|mjs|js)\b/g) ?? [];
  return words
    .map((word) => posix.normalize(posix.join(folder, word)))
    .flatMap((path) => (path.includes('*') ? code.filter((file) => matches(file, path)) : [path]));
}

function matches(file: string, pattern: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  return file.startsWith(before) && file.endsWith(after);
}

/** A launcher names its program as a path from the root of its package. */
function launched(tree: Tree, launcher: string): string[] {
  const home = posix.dirname(posix.dirname(launcher));
  const words = tree.read(launcher).match(/[\w./-]+\.ts\b/g) ?? [];
  return words.map((word) => posix.normalize(posix.join(home, word)));
}

function reachable(tree: Tree, starts: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const queue = [...starts];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path) || !tree.has(path)) continue;
    reached.add(path);
    queue.push(...neighbours(tree, path));
  }
  return reached;
}

function neighbours(tree: Tree, path: string): string[] {
  const folder = posix.dirname(path);
  const source = tree.read(path);
  const imported = importsOf(source).filter((specifier) => specifier.startsWith('.'));
  // Programs that are started by path, as in join(import.meta.dirname, 'worker.ts').
  const started = source.match(/(?<=['"`])[\w./-]+\.(?:ts|mjs)(?=['"`])/g) ?? [];
  return [...imported, ...started]
    .map((specifier) => posix.normalize(posix.join(folder, specifier)))
    .filter((target) => target !== subjectOf(path));
}

/** A unit test does not count as a user of its subject: code that only its test calls is dead. */
function subjectOf(path: string): string | undefined {
  return path.endsWith('.test.ts') ? path.replace(/\.test\.ts$/, '.ts') : undefined;
}
