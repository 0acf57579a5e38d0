/** The packages and samples of this repository, read from their package.json. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  bin?: Record<string, string>;
  exports?: Record<string, Record<string, string>>;
  files?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  scripts?: Record<string, string>;
}

export interface Workspace {
  /** Relative to the root, as in `packages/server`. */
  folder: string;
  manifest: Manifest;
}

export function workspaces(root: string): Workspace[] {
  return ['packages', 'samples'].flatMap((group) =>
    readdirSync(join(root, group))
      .sort()
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => ({ folder, manifest: readManifest(join(root, folder, 'package.json')) })),
  );
}

/** Packages that are published. */
export function publishable(root: string): Workspace[] {
  return workspaces(root).filter(({ manifest }) => manifest.private !== true);
}

/** Every command of a package or sample. */
export function programs(root: string): { name: string; bin: string }[] {
  return workspaces(root).flatMap(({ folder, manifest }) =>
    Object.entries(manifest.bin ?? {}).map(([name, path]) => ({
      name,
      bin: join(root, folder, path),
    })),
  );
}

export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
