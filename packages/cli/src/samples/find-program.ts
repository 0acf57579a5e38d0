import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { FlagError } from '@tributary/server/program';
import type { Sample } from './sample.ts';

export interface SampleProgram {
  /** Of the package. */
  readonly folder: string;
  /** A launcher, which runs its build or its sources. */
  readonly file: string;
}

/** Samples are packages that the command line depends on; users of this package alone install them. */
export function findProgram({ name, packageName, program }: Sample): SampleProgram {
  const manifest = manifestOf(packageName);
  if (manifest === undefined) {
    throw new FlagError(`--sample ${name}: it is in the package ${packageName}, which is missing`);
  }
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin?: Record<string, string> };
  const file = bin?.[program];
  if (file === undefined) {
    throw new FlagError(`--sample ${name}: ${packageName} has no program ${program}`);
  }
  const folder = dirname(manifest);
  return { folder, file: join(folder, file) };
}

/** Looked for where an import would find it; packages need not export their manifest. */
function manifestOf(packageName: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(packageName) ?? [];
  return folders
    .map((folder) => join(folder, packageName, 'package.json'))
    .find((file) => existsSync(file));
}
