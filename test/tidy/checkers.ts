/**
 * Finds the tests of checkers: servers, stores and clients broken on purpose, histories that a checker must reject,
 * rules with bad examples. They are found by name in the sources, so that none is lost when files move between
 * tiers.
 */
import { posix } from 'node:path';
import { importsOf } from './source.ts';
import type { Tree } from './tree.ts';

const FILES =
  /(?:^|\/)(?:[\w-]*mutants?[\w-]*|broken-[\w-]+|faulty-[\w-]+|[\w-]*checker|checks|judge|verdict|simulated|soak|rules|compare-[\w-]+)(?:\.\w+)*\.ts$/;
const NAMES =
  /\b(?:name|fault|rule):\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")|\btest\(\s*'((?:[^'\\]|\\.)*)'/g;

/** Names of broken things and of the tests about them, by file. */
export function checkersOf(tree: Tree): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of tree.files) {
    if (!FILES.test(file) || !/^(?:test|interop|packages\/[^/]+\/(?:test|src))\//.test(file))
      continue;
    const names = [...tree.read(file).matchAll(NAMES)].map(
      (match) => match[1] ?? match[2] ?? match[3] ?? '',
    );
    if (names.length > 0 && isAboutFaults(file)) found.set(file, [...new Set(names)].sort());
  }
  return found;
}

/** Sources of the product have files of such names as well. */
function isAboutFaults(file: string): boolean {
  return !file.includes('/src/') || file.endsWith('.test.ts');
}

/** Test files that reach a file through their imports, or are it. */
export function testsReaching(tree: Tree, target: string): string[] {
  const importers = importersByFile(tree);
  const seen = new Set<string>();
  const queue = [target];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    queue.push(...(importers.get(file) ?? []));
  }
  return [...seen].filter((file) => file.endsWith('.test.ts'));
}

const cache = new WeakMap<Tree, Map<string, string[]>>();

function importersByFile(tree: Tree): Map<string, string[]> {
  const known = cache.get(tree);
  if (known !== undefined) return known;
  const importers = new Map<string, string[]>();
  for (const file of tree.files.filter((path) => path.endsWith('.ts'))) {
    const source = tree.read(file);
    // Programs are started by path rather than imported.
    const started = source.match(/(?<=['"`])[\w./-]+\.ts(?=['"`])/g) ?? [];
    for (const specifier of [...importsOf(source), ...started]) {
      const path = posix.normalize(posix.join(posix.dirname(file), specifier));
      importers.set(path, [...(importers.get(path) ?? []), file]);
    }
  }
  cache.set(tree, importers);
  return importers;
}
