/** Rules for the contents of a package and its README. */
import { posix } from 'node:path';
import type { Manifest } from './workspace.ts';

const MISPLACED = /(^|\/)(src|test|tests|fixtures|node_modules)\/|\.test\.|tsconfig|\.tsbuildinfo$/;

export function tarballProblems(files: readonly string[], manifest: Manifest): string[] {
  const present = new Set(files);
  const missing = ['README.md', ...exportedFiles(manifest)].filter((file) => !present.has(file));
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

export function exampleIn(readme: string): string | undefined {
  return /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
}
