/** What people install: every package is built from a clean copy, packed, installed elsewhere and imported. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { sourceFlags } from '../packages/server/launcher.js';
import {
  anyKubectl,
  missingMessage,
  type SkippableScope,
  type StartedProcess,
  skipOrFail,
  startProcess,
  suiteScope,
  type TestScope,
  temporaryDirectory,
} from './harness/index.ts';
import { exampleIn, exportedFiles, tarballProblems } from './package-rules.ts';
import { publishable } from './workspace.ts';

const root = join(import.meta.dirname, '..');
const packages = publishable(root);
const FORECAST = JSON.stringify({
  apiVersion: 'weather.example.com/v1',
  kind: 'Forecast',
  metadata: { name: 'tomorrow', namespace: 'default' },
  spec: { city: 'Oslo' },
});

interface Tarball {
  name: string;
  path: string;
  files: string[];
}

/** An empty project with our packages installed from their tarballs. */
interface Project {
  folder: string;
  /** Why nothing could be installed: there is no network, and the cache of npm lacks something. */
  offline?: string;
}

describe('packages as they are published', () => {
  const scope = suiteScope('packaging');
  let copy = '';
  let tarballs: Tarball[] = [];
  let project: Project = { folder: '' };

  before(async () => {
    copy = await cleanCopy(scope);
    run(
      process.execPath,
      [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--build'],
      copy,
    );
    tarballs = pack(copy, await temporaryDirectory(scope));
    project = await install(scope, tarballs);
  });
  test('each has its build, its declarations and its README, and nothing else', () => {
    assert.deepEqual(tarballs.map(({ name }) => name).sort(), packages.map(nameOf).sort());
    const problems = packages.flatMap(({ manifest }) => {
      const files = tarballs.find(({ name }) => name === manifest.name)?.files ?? [];
      return tarballProblems(files, manifest).map((problem) => `${manifest.name}: ${problem}`);
    });
    assert.deepEqual(problems, []);
  });

  for (const { manifest } of packages) {
    test(`${manifest.name} can be imported and gives what its sources give`, (t) => {
      if (!installed(t, project)) return;
      for (const subpath of Object.keys(manifest.exports ?? {})) {
        const specifier = join(manifest.name, subpath);
        const sources = exportsOf(specifier, { cwd: copy, flags: sourceFlags() });
        assert.deepEqual(exportsOf(specifier, { cwd: project.folder, flags: [] }), sources);
      }
    });

    for (const [command, file] of Object.entries(manifest.bin ?? {})) {
      test(`${command} of ${manifest.name} runs`, (t) => {
        if (!installed(t, project)) return;
        const bin = join('node_modules', manifest.name, file);
        const { stdout, stderr, status } = node(project, [bin, '--help']);
        assert.equal(status, 0, stderr);
        assert.match(stdout, new RegExp(command));
      });
    }
  }

  test('the example of the README serves its kind to kubectl', async (t) => {
    if (!installed(t, project)) return;
    const kubectl = await anyKubectl();
    if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
    const data = await temporaryDirectory(t);
    const args = ['--secure-port=0', `--data-dir=${data}`];
    const started = await startReadmeExample(t, { project, readme: join(root, 'README.md'), args });
    await started.waitForLog(/is ready at/);
    const kubeconfig = join(data, 'admin.kubeconfig');
    const created = await kubectl.run(['create', '-f', '-'], { kubeconfig, input: FORECAST });
    assert.equal(created.code, 0, created.stderr);
    const listed = await kubectl.run(['get', 'forecasts', '-o', 'name'], { kubeconfig });
    assert.equal(listed.stdout, 'forecast.weather.example.com/tomorrow\n', listed.stderr);
  });
});

function nameOf({ manifest }: (typeof packages)[number]): string {
  return manifest.name;
}

function installed(t: SkippableScope, { offline }: Project): boolean {
  if (offline === undefined) return true;
  skipOrFail(t, `packages cannot be installed: ${offline}`);
  return false;
}

/**
 * Sources and settings only, so that a stale build in the working tree cannot help. `node_modules` is shared,
 * except for our own packages.
 */
async function cleanCopy(t: TestScope): Promise<string> {
  const copy = await temporaryDirectory(t);
  const ignored = new Set(['node_modules', 'dist']);
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

/** This Node without our flags: an installed package must not need them. */
function node(project: Project, args: readonly string[]) {
  return spawnSync(process.execPath, args, {
    cwd: project.folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

/** The names that a module exports, seen from a folder. */
function exportsOf(specifier: string, from: { cwd: string; flags: readonly string[] }): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(specifier)}))))`;
  const args = [...from.flags, '--input-type=module', '--eval', script];
  return JSON.parse(run(process.execPath, args, from.cwd)) as string[];
}

/** Runs the first TypeScript example of a README in the project, as somebody who pastes it does. */
async function startReadmeExample(
  t: TestScope,
  { project, readme, args = [] }: { project: Project; readme: string; args?: readonly string[] },
): Promise<StartedProcess> {
  assert.ok(existsSync(readme), `${readme} does not exist`);
  const example = exampleIn(await readFile(readme, 'utf8'));
  assert.ok(example !== undefined, `${readme} has no example in TypeScript`);
  const file = join(project.folder, 'example.ts');
  await writeFile(file, example);
  return startProcess(t, {
    command: process.execPath,
    args: [file, ...args],
    cwd: project.folder,
    name: 'the example of the README',
  });
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { stdout, stderr, status } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

test('a tarball with anything wrong is noticed', () => {
  const manifest = {
    name: '@tributary/x',
    version: '0.1.0',
    bin: { x: './bin/x.js' },
    exports: {
      '.': {
        'tributary-source': './src/index.ts',
        types: './dist/index.d.ts',
        default: './dist/index.js',
      },
    },
  };
  const good = ['package.json', 'README.md', 'bin/x.js', 'dist/index.js', 'dist/index.d.ts'];
  assert.deepEqual(exportedFiles(manifest), ['dist/index.d.ts', 'dist/index.js', 'bin/x.js']);
  assert.deepEqual(tarballProblems(good, manifest), []);
  const bad: readonly [files: string[], want: RegExp][] = [
    [without(good, 'README.md'), /README\.md is missing/],
    [without(good, 'dist/index.js'), /dist\/index\.js is missing/],
    [without(good, 'dist/index.d.ts'), /dist\/index\.d\.ts is missing/],
    [without(good, 'bin/x.js'), /bin\/x\.js is missing/],
    [[...good, 'src/index.ts'], /src\/index\.ts does not belong/],
    [[...good, 'dist/index.test.js'], /index\.test\.js does not belong/],
    [[...good, 'test/a.js'], /test\/a\.js does not belong/],
    [[...good, 'tsconfig.json'], /tsconfig\.json does not belong/],
    [[...good, 'dist/tsconfig.tsbuildinfo'], /tsbuildinfo does not belong/],
    [[...good, 'dist/lonely.js'], /dist\/lonely\.js has no declarations/],
  ];
  for (const [files, want] of bad) {
    assert.match(tarballProblems(files, manifest).join('\n'), want);
  }
});

test('the example of a README is its first block of TypeScript', () => {
  const readme =
    '# X\n\n```sh\nnpm i\n```\n\n```ts\nconst a = 1;\n```\n\n```ts\nconst b = 2;\n```\n';
  assert.equal(exampleIn(readme), 'const a = 1;\n');
  assert.equal(exampleIn('# X\n'), undefined);
});

function without(files: readonly string[], file: string): string[] {
  return files.filter((candidate) => candidate !== file);
}
