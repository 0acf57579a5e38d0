/** Packages as published: each is built from a clean copy, packed, installed elsewhere and imported. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { sourceFlags } from '../packages/server/launcher.js';
import {
  anyKubectl,
  defer,
  findOldNode,
  httpsRequest,
  missingMessage,
  type StartedProcess,
  skipOrFail,
  startProcess,
  suiteScope,
  type TestScope,
  temporaryDirectory,
  withNode,
} from './harness/index.ts';
import { exampleIn, exportedFiles, subpaths, tarballProblems } from './package-rules.ts';
import { installed, type Packed, type Project, packAndInstall, run } from './packed-project.ts';
import { walk } from './walkthrough.ts';
import { publishable } from './workspace.ts';

const root = join(import.meta.dirname, '..');
const packages = publishable(root);
const examples = [
  {
    readme: 'README.md',
    object: {
      apiVersion: 'weather.example.com/v1',
      kind: 'Forecast',
      metadata: { name: 'tomorrow' },
      spec: { city: 'Oslo' },
    },
    listed: 'forecast.weather.example.com/tomorrow',
  },
  {
    readme: 'packages/server/README.md',
    object: {
      apiVersion: 'notes.example.com/v1',
      kind: 'Note',
      metadata: { name: 'first' },
      spec: { text: 'hello' },
    },
    listed: 'note.notes.example.com/first',
  },
];

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ruledDefinition = (plural: string, kind: string, rules: number) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.garden.example.com` },
  spec: {
    group: 'garden.example.com',
    scope: 'Namespaced',
    names: { plural, kind },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { rows: { type: 'integer' } },
            'x-kubernetes-validations': Array.from({ length: rules }, (_, at) => ({
              rule: `!has(self.rows) || self.rows != ${at}`,
            })),
          },
        },
      },
    ],
  },
});
/**
 * One definition with a rule, which is compiled at creation, and one with so many rules that a thread compiles
 * them.
 */
const ruled = [ruledDefinition('beds', 'Bed', 1), ruledDefinition('pots', 'Pot', 100)];
/** A rule that is too expensive for the event loop, evaluated in the thread of an installed package. */
const EXPENSIVE = `
import { rules } from '@tributary/server';
import { defineApi, defineResource, version } from '@tributary/server/definition';
import { startTestServer } from '@tributary/server/testing';
import Type from 'typebox';

const texts = Type.Array(Type.String({ maxLength: 20 }), { maxItems: 800 });
const spec = rules(texts, 'self.all(x, self.all(y, x != y || true))');
const Pile = defineResource({
  kind: 'Pile', plural: 'piles', scope: 'Cluster', versions: { v1: version({ spec }) },
});
const server = await startTestServer(defineApi({ group: 'piles.example.com', resources: [Pile] }));
const pile = { metadata: { name: 'a' }, spec: Array.from({ length: 800 }, (_, at) => 'item-' + at) };
await server.client(Pile).create(pile).catch((error) => console.log(error.message));
await server.close();
`;

describe('packages as published', () => {
  const scope = suiteScope('packaging');
  let { copy, tarballs, project }: Packed = { copy: '', tarballs: [], project: { folder: '' } };
  before(async () => {
    ({ copy, tarballs, project } = await packAndInstall(scope));
  });

  test('each has its build, its declarations and its README, and no other files', () => {
    assert.deepEqual(tarballs.map(({ name }) => name).sort(), packages.map(nameOf).sort());
    const problems = packages.flatMap(({ manifest }) => {
      const files = tarballs.find(({ name }) => name === manifest.name)?.files ?? [];
      return tarballProblems(files, manifest).map((problem) => `${manifest.name}: ${problem}`);
    });
    assert.deepEqual(problems, []);
  });

  for (const { manifest } of packages) {
    test(`${manifest.name} can be imported and exports the names of its sources`, (t) => {
      if (!installed(t, project)) return;
      const files = tarballs.find(({ name }) => name === manifest.name)?.files ?? [];
      const paths = subpaths(manifest, files);
      assert.ok(paths.length > 0 || manifest.exports === undefined);
      for (const subpath of paths) {
        const specifier = join(manifest.name, subpath);
        const sources = exportsOf(specifier, { cwd: copy, flags: sourceFlags() });
        assert.deepEqual(exportsOf(specifier, { cwd: project.folder, flags: [] }), sources);
      }
    });

    for (const [command, file] of Object.entries(manifest.bin ?? {})) {
      test(`${command} of ${manifest.name} runs`, (t) => {
        if (!installed(t, project)) return;
        const bin = join(project.folder, 'node_modules', manifest.name, file);
        const { stdout, stderr, status } = spawnSync(bin, ['--help'], {
          encoding: 'utf8',
          cwd: project.folder,
          env: withNode(process.execPath),
        });
        assert.equal(status, 0, stderr);
        assert.match(stdout, new RegExp(command));
      });
    }
  }

  test('tributary up, as installed, runs from its bundle, which is complete', async (t) => {
    if (!installed(t, project)) return;
    const home = join(project.folder, 'node_modules', '@tributary', 'cli');
    for (const gone of [join(home, 'dist'), join(home, '..', 'cel')]) {
      await rename(gone, `${gone}-away`);
      defer(t, () => rename(`${gone}-away`, gone));
    }
    const cache = await temporaryDirectory(t);
    const codeOf = async () => (await readdir(cache, { recursive: true })).filter(isCachedCode);
    assert.deepEqual(await codeOf(), []);
    await tryInstalled(t, join(home, 'bin', 'tributary'), cache);
    const code = await codeOf();
    assert.equal(code.length, 1, 'the compiled code is cached for the next start');
    const [compiled] = code.map((name) => statSync(join(cache, name)));
    await tryInstalled(t, join(home, 'bin', 'tributary'), cache);
    assert.deepEqual(await codeOf(), code);
    const [used] = code.map((name) => statSync(join(cache, name)));
    assert.equal(used?.mtimeMs, compiled?.mtimeMs, 'which uses it');
  });

  const isCachedCode = (name: string) => /\/up-\w+\.code$/.test(name);

  async function tryInstalled(t: TestScope, command: string, cache: string): Promise<void> {
    const data = await temporaryDirectory(t);
    const started = await startProcess(t, {
      command,
      args: ['up', '--secure-port=0', `--data-dir=${data}`, '--logging-format=json'],
      env: {
        ...withNode(process.execPath),
        NODE_OPTIONS: undefined,
        NODE_COMPILE_CACHE: undefined,
        TRIBUTARY_CACHE_DIR: cache,
      },
    });
    const [, url] = await started.waitForLog(/is ready at (https:\S+)/);
    const once = /--max-semi-space-size=8\0.*\/bundle\/main\.js\0up/;
    assert.match(commandLineOf(started.pid), once, 'the first Node is the last one');
    const read = (name: string) => readFile(join(data, 'pki', name), 'utf8');
    const ca = await read('server-ca.crt');
    const admin = { cert: await read('admin.crt'), key: await read('admin.key') };
    // Modules that are loaded on demand, so that their absence would go unnoticed at the start.
    const responses: readonly [path: string, accept: string, want: RegExp][] = [
      ['/readyz', '*/*', /^ok$/],
      ['/metrics', '*/*', /^nodejs_version_info/m],
      ['/openapi/v2', 'application/json', /^\{"swagger":"2\.0"/],
      ['/openapi/v2', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf', /2\.0/],
      ['/api/v1/namespaces/default', 'application/yaml', /^ {2}name: default$/m],
    ];
    for (const [path, accept, want] of responses) {
      const response = await httpsRequest(`${url}${path}`, { ca, ...admin, headers: { accept } });
      assert.equal(response.status, 200, `${path}: ${response.body.slice(0, 200)}`);
      assert.match(response.body, want, path);
    }
    for (const body of ruled) {
      const defined = await httpsRequest(`${url}${DEFINITIONS}`, {
        ...{ ca, ...admin, method: 'POST', body },
      });
      assert.equal(defined.status, 201, defined.body.slice(0, 200));
    }
    assert.deepEqual(await started.stop(), { code: 0, signal: null });
  }

  test('an installed tributary up tells an old Node which version it needs', async (t) => {
    if (!installed(t, project)) return;
    const old = findOldNode();
    if (old === undefined) return; // the machine has no old Node
    const bin = join(project.folder, 'node_modules', '@tributary', 'cli', 'bin', 'tributary');
    const env = { ...process.env, ...withNode(old.path), NODE_OPTIONS: undefined };
    const { status, stdout, stderr } = spawnSync(bin, ['up'], { encoding: 'utf8', env });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^Node 24 or newer is needed and this is v\d+.*\n.*npm ci.*\n$/);
  });

  test('an expensive rule is evaluated in a thread', async (t) => {
    if (!installed(t, project)) return;
    await writeFile(join(project.folder, 'expensive.mjs'), EXPENSIVE);
    const said = run(process.execPath, ['expensive.mjs'], project.folder);
    assert.match(said, /due to call cost exceeds limit for rule: self\.all/);
  });

  for (const { readme, object, listed } of examples) {
    test(`the example of ${readme} serves its kind to kubectl`, async (t) => {
      if (!installed(t, project)) return;
      const kubectl = await anyKubectl();
      if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
      const data = await temporaryDirectory(t);
      const args = ['--secure-port=0', `--data-dir=${data}`];
      const started = await startReadmeExample(t, { project, readme: join(root, readme), args });
      await started.waitForLog(/is ready at/);
      const kubeconfig = join(data, 'admin.kubeconfig');
      const input = JSON.stringify(object);
      const created = await kubectl.run(['create', '-f', '-'], { kubeconfig, input });
      assert.equal(created.code, 0, created.stderr);
      const [kind = ''] = listed.split('.', 1);
      const found = await kubectl.run(['get', `${kind}s`, '-o', 'name'], { kubeconfig });
      assert.equal(found.stdout, `${listed}\n`, found.stderr);
    });
  }

  test('the guide to a first server works as printed, and type-checks', async (t) => {
    if (!installed(t, project)) return;
    const kubectl = await anyKubectl();
    if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
    const guide = await readFile(join(root, 'docs/guides/your-first-server.md'), 'utf8');
    await walk(t, guide, {
      folder: project.folder,
      kubectl,
      isDone: (line) => line.startsWith('npm '), // the project exists, and its packages come from tarballs
      server: (line) => {
        const [command, file = ''] = line.split(' ');
        if (command !== 'node') return undefined;
        return { command: process.execPath, args: [file, '--secure-port=0'] };
      },
    });
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--typeRoots', join(root, 'node_modules', '@types'), '--types', 'node'];
    const settings = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext'];
    const imports = ['--allowImportingTsExtensions', '--skipLibCheck'];
    run(process.execPath, [tsc, ...settings, ...imports, ...types, 'server.ts'], project.folder);
  });
});

function commandLineOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

function nameOf({ manifest }: (typeof packages)[number]): string {
  return manifest.name;
}

/** The names that a module exports, when imported from a folder. */
function exportsOf(specifier: string, from: { cwd: string; flags: readonly string[] }): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(specifier)}))))`;
  const args = [...from.flags, '--input-type=module', '--eval', script];
  return JSON.parse(run(process.execPath, args, from.cwd)) as string[];
}

/** Runs the first TypeScript example of a README in the project. */
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

test('every defect of a tarball is detected', () => {
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
      './*': { 'tributary-source': './src/parts/*.ts', default: './dist/parts/*.js' },
    },
  };
  const good = [
    ...['package.json', 'README.md', 'bin/x.js', 'dist/index.js', 'dist/index.d.ts'],
    ...['dist/parts/a.js', 'dist/parts/a.d.ts'],
  ];
  assert.deepEqual(exportedFiles(manifest), [
    ...['dist/index.d.ts', 'dist/index.js', 'dist/parts/*.js', 'bin/x.js'],
  ]);
  assert.deepEqual(subpaths(manifest, good), ['.', './a']);
  assert.deepEqual(tarballProblems(good, manifest), []);
  const bad: readonly [files: string[], want: RegExp][] = [
    [without(good, 'README.md'), /README\.md is missing/],
    [without(good, 'dist/index.js'), /dist\/index\.js is missing/],
    [without(good, 'dist/index.d.ts'), /dist\/index\.d\.ts is missing/],
    [without(good, 'dist/parts/a.js'), /dist\/parts\/\*\.js is missing/],
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
