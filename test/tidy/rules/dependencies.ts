import { posix } from 'node:path';
import type { Manifest } from '../../workspace.ts';
import type { Tree } from '../tree.ts';

const KINDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
] as const;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

export function exactVersions(tree: Tree): string[] {
  return manifests(tree).flatMap(({ path, manifest }) =>
    KINDS.flatMap((kind) =>
      Object.entries(manifest[kind] ?? {})
        .filter(([, version]) => !EXACT.test(version))
        .map(([name, version]) => `${path}: ${name} is "${version}", not an exact version`),
    ),
  );
}

const REASONS = 'docs/adr/0002-dependencies.md';

/** Each runtime dependency has a row with its reason. */
export function reasons(tree: Tree): string[] {
  const rows = tree.read(REASONS);
  return manifests(tree)
    .filter(({ path }) => path.startsWith('packages/'))
    .flatMap(({ path, manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
        .filter((name) => !name.startsWith('@tributary/') && !rows.includes(`\n| \`${name}\``))
        .map((name) => `${path}: ${REASONS} has no reason for ${name}`),
    );
}

/** Also where packages name each other, because a release has one version. */
export function oneVersion(tree: Tree): string[] {
  const all = manifests(tree);
  const want = all.find(({ path }) => path === 'package.json')?.manifest.version;
  if (want === undefined) return ['package.json has no version'];
  return all.flatMap(({ path, manifest }) => {
    const named = KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))
      .filter(([name, version]) => name.startsWith('@tributary/') && version !== want)
      .map(([name, version]) => `${path}: ${name} is ${version}, the release is ${want}`);
    if (manifest.version === want || manifest.version === undefined) return named;
    return [`${path}: version ${manifest.version}, the release is ${want}`, ...named];
  });
}

/**
 * `omit-lockfile-registry-resolved` in .npmrc keeps registry URLs out, because every installation uses its own
 * registry.
 */
export function lockfile(tree: Tree): string[] {
  if (!tree.has('package-lock.json')) return ['package-lock.json is missing'];
  const hosts = new Set(
    [...tree.read('package-lock.json').matchAll(/"resolved":\s*"(https?:\/\/[^/"]+)/g)].map(
      (match) => match[1] ?? '',
    ),
  );
  return [...hosts].map((host) => `package-lock.json names ${host}`);
}

interface LockedPackage {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/**
 * Every dependency has its entry, including those for other platforms. npm omits an optional package when the
 * registry does not have it at that moment, installs without an error, and then refuses `npm ci` on a fresh clone.
 */
export function lockfileComplete(tree: Tree): string[] {
  const { packages = {} } = JSON.parse(tree.read('package-lock.json') || '{}') as {
    packages?: Record<string, LockedPackage>;
  };
  if (Object.keys(packages).length === 0) return ['package-lock.json lists no packages'];
  return Object.entries(packages).flatMap(([path, entry]) => {
    const dependencies = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      // Development dependencies of a package from the registry are not installed.
      ...(path.includes('node_modules/') ? {} : entry.devDependencies),
    };
    return Object.entries(dependencies)
      .filter(([name]) => !candidates(path, name).some((place) => Object.hasOwn(packages, place)))
      .map(
        ([name, version]) =>
          `package-lock.json has no entry for ${name} ${version} of ${path || 'the root'}`,
      );
  });
}

/** The folders in which Node searches for a package, nearest first. */
function candidates(folder: string, name: string): string[] {
  const here = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
  if (folder === '') return [here];
  const parent = /^(.*?)\/?node_modules\/(?:@[^/]+\/)?[^/]+$/.exec(folder)?.[1];
  return [here, ...candidates(parent ?? '', name)];
}

function manifests(tree: Tree): { path: string; manifest: Partial<Manifest> }[] {
  return tree.files
    .filter((path) => posix.basename(path) === 'package.json' && !path.includes('/fixtures/'))
    .map((path) => ({ path, manifest: JSON.parse(tree.read(path)) as Partial<Manifest> }));
}
