/** Our packages as users get them: built from a clean copy, packed, and installed in an empty project. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundlePrograms } from '../scripts/bundle.ts';
import {
  type SkippableScope,
  skipOrFail,
  type TestScope,
  temporaryDirectory,
} from './harness/index.ts';
import { publishable } from './workspace.ts';

const root = join(import.meta.dirname, '..');
const packages = publishable(root);

export interface Tarball {
  name: string;
  path: string;
  files: string[];
}

/** An empty project with our packages installed from their tarballs. */
export interface Project {
  folder: string;
  /** The reason why the installation failed: there is no network, and npm's cache is incomplete. */
  offline?: string;
}

export interface Packed {
  /** The folder of the build. */
  copy: string;
  tarballs: Tarball[];
  project: Project;
}

export async function packAndInstall(t: TestScope): Promise<Packed> {
  const copy = await cleanCopy(t);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [tsc, '--build'], copy);
  await bundlePrograms(copy);
  const tarballs = pack(copy, await temporaryDirectory(t));
  return { copy, tarballs, project: await install(t, tarballs) };
}

export function installed(t: SkippableScope, { offline }: Project): boolean {
  if (offline === undefined) return true;
  skipOrFail(t, `packages cannot be installed: ${offline}`);
  return false;
}

/**
 * Sources and settings only, so that the test does not use a stale build of the working tree. `node_modules` is
 * shared, except for our packages.
 */
async function cleanCopy(t: TestScope): Promise<string> {
  const copy = await temporaryDirectory(t);
  const ignored = new Set(['node_modules', 'dist', 'bundle', 'bundle.new']);
  const keep = (path: string): boolean =>
    !ignored.has(basename(path)) && !path.endsWith('.tsbuildinfo');
  for (const name of ['package.json', 'tsconfig.base.json', 'packages', 'samples']) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: keep });
  }
  const references = packages.map(({ folder }) => ({ path: folder }));
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify({ files: [], references }));
  shareModules(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function shareModules(from: string, to: string): void {
  mkdirSync(join(to, '@tributary'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') || name === '@tributary') continue;
    symlinkSync(join(from, name), join(to, name));
  }
  for (const { folder, manifest } of packages) {
    symlinkSync(join('..', '..', folder), join(to, manifest.name));
  }
}

function pack(copy: string, destination: string): Tarball[] {
  const selected = packages.flatMap(({ folder }) => ['--workspace', folder]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  const listed = JSON.parse(run('npm', [...args, ...selected], copy)) as {
    name: string;
    filename: string;
    files: { path: string }[];
  }[];
  return listed.map(({ name, filename, files }) => ({
    name,
    path: join(destination, basename(filename)),
    files: files.map(({ path }) => path),
  }));
}

const UNREACHABLE = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/;

async function install(t: TestScope, tarballs: readonly Tarball[]): Promise<Project> {
  const folder = await temporaryDirectory(t);
  const dependencies = Object.fromEntries(
    tarballs.map(({ name, path }) => [name, `file:${path}`] as const),
  );
  const manifest = { name: 'project', private: true, type: 'module', dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const result = spawnSync('npm', ['install', ...flags], { cwd: folder, encoding: 'utf8' });
  if (result.status === 0) return { folder };
  const reason = UNREACHABLE.exec(result.stderr)?.[0];
  if (reason === undefined) assert.fail(`npm install failed:\n${result.stderr}`);
  return { folder, offline: `the npm registry cannot be reached (${reason})` };
}

/** This Node without our flags, because an installed package must not need them. */
export function node(project: Project, args: readonly string[]) {
  return spawnSync(process.execPath, args, {
    cwd: project.folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

export function run(command: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr, status } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
