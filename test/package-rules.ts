/** Rules for the contents of a package and its README. */
import { posix } from 'node:path';
import type { Manifest } from './workspace.ts';

const MISPLACED = /(^|\/)(src|test|tests|fixtures|node_modules)\/|\.test\.|tsconfig|\.tsbuildinfo$/;

export function tarballProblems(files: readonly string[], manifest: Manifest): string[] {
  const present = new Set(files);
  const missing = ['README.md', ...exportedFiles(manifest)].filter((file) =>
    file.includes('*') ? matching(file, files).length === 0 : !present.has(file),
  );
  const misplaced = files.filter((file) => MISPLACED.test(file));
  const undeclared = files.filter(
    (file) =>
      file.startsWith('dist/') &&
      file.endsWith('.js') &&
      !present.has(file.replace(/\.js$/, '.d.ts')),
  );
  return [
    ...missing.map((file) => `${file} is missing`),
    ...misplaced.map((file) => `${file} does not belong into a package`),
    ...undeclared.map((file) => `${file} has no declarations`),
  ];
}

/** Files that the manifest names, except under the condition that only the workspace uses. */
export function exportedFiles({ exports = {}, bin = {} }: Manifest): string[] {
  const targets = Object.values(exports).flatMap((conditions) =>
    Object.entries(conditions)
      .filter(([condition]) => condition !== 'tributary-source')
      .map(([, target]) => target),
  );
  return [...targets, ...Object.values(bin)].map((target) => posix.normalize(target));
}

/** The subpaths that can be imported; a pattern stands for one of each file that it matches. */
export function subpaths({ exports = {} }: Manifest, files: readonly string[]): string[] {
  return Object.entries(exports).flatMap(([subpath, { default: target = '' }]) =>
    subpath.includes('*')
      ? matching(posix.normalize(target), files).map((name) => subpath.replace('*', name))
      : [subpath],
  );
}

/** The text that `*` stands for in each file that matches. */
function matching(pattern: string, files: readonly string[]): string[] {
  const [start = '', end = ''] = pattern.split('*');
  return files
    .filter((file) => file.startsWith(start) && file.endsWith(end) && file.length >= pattern.length)
    .map((file) => file.slice(start.length, file.length - end.length));
}

export function exampleIn(readme: string): string | undefined {
  return /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
}
