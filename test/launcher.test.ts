/** Launchers start on any Node, re-execute on the supported one, and run current code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readSettings } from '../packages/server/launcher.js';
import {
  findOldNode,
  logShows,
  startProcess,
  type TestScope,
  temporaryDirectory,
  withNode,
} from './harness/index.ts';
import { programs } from './workspace.ts';

const root = join(import.meta.dirname, '..');
const launcher = pathToFileURL(join(root, 'packages', 'server', 'launcher.js')).href;
const bins = join(root, 'packages', 'cli', 'bin');
const { flags, env: variables } = readSettings(join(bins, 'server.settings'));
const pinned = `node-${process.platform}-${process.arch}`;

const oldNode = findOldNode();
/** Where the machine's Node is supported there is no old one to test. */
const nodes: readonly { path: string; version: string }[] = [
  { path: process.execPath, version: process.version },
  ...(oldNode === undefined ? [] : [oldNode]),
];

interface Fixture {
  source?: string;
  built?: string;
  bundled?: string;
  /** Age of the build stamp relative to the sources. */
  stamp?: 'newer' | 'older';
  pinnedNode?: boolean;
}

/** A small checkout: one package with a launcher, after `npm ci` and a build. */
async function checkout(t: TestScope, fixture: Fixture): Promise<string> {
  const folder = await temporaryDirectory(t);
  const home = join(folder, 'packages', 'program');
  const bin = join(home, 'bin', 'program.js');
  const files: [string, string | undefined][] = [
    [join(folder, 'package.json'), '{"type":"module"}'],
    [join(home, 'package.json'), '{"type":"module"}'],
    [bin, `import { launch } from '${launcher}';\n${LAUNCH}`],
    [join(home, 'src', 'main.ts'), fixture.source],
    [join(home, 'dist', 'main.js'), fixture.built],
    [join(home, 'bundle', 'main.js'), fixture.bundled],
    [join(folder, 'samples', '.keep'), ''],
    [join(folder, 'node_modules', '.cache', 'tributary-build'), fixture.stamp && ''],
  ];
  for (const [path, content] of files) {
    if (content === undefined) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  if (fixture.stamp !== undefined) {
    const at = Date.now() / 1000 + (fixture.stamp === 'newer' ? 60 : -60);
    await utimes(join(folder, 'node_modules', '.cache', 'tributary-build'), at, at);
  }
  if (fixture.pinnedNode !== false) {
    await mkdir(join(folder, 'node_modules', pinned, 'bin'), { recursive: true });
    await symlink(process.execPath, join(folder, 'node_modules', pinned, 'bin', 'node'));
  }
  return bin;
}

const LAUNCH =
  "await launch({ bin: import.meta.url, built: 'dist/main.js', bundle: 'bundle/main.js', source: 'src/main.ts' });\n";
const show = (what: string): string =>
  `console.log('${what}', process.version, JSON.stringify(process.argv.slice(2)));\n`;
/** Types that run only on a Node that strips them. */
const source = `const typed: string = 'source';\n${show('source')}void typed;\n`;
const built = show('built');
const bundled = show('bundled');

for (const { path: node, version } of nodes) {
  const run = (bin: string, args: readonly string[] = []) =>
    spawnSync(node, [bin, ...args], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    });

  const choices: readonly { name: string; fixture: Fixture; want: string }[] = [
    { name: 'sources without a build', fixture: { source }, want: 'source' },
    { name: 'sources without a stamp', fixture: { source, built }, want: 'source' },
    { name: 'a current build', fixture: { source, built, stamp: 'newer' }, want: 'built' },
    {
      name: 'sources newer than the build',
      fixture: { source, built, stamp: 'older' },
      want: 'source',
    },
    { name: 'a build without sources, as installed', fixture: { built }, want: 'built' },
    { name: 'an installed bundle', fixture: { built, bundled }, want: 'bundled' },
    {
      name: 'a current bundle',
      fixture: { source, built, bundled, stamp: 'newer' },
      want: 'bundled',
    },
    {
      name: 'sources newer than the bundle',
      fixture: { source, built, bundled, stamp: 'older' },
      want: 'source',
    },
  ];
  for (const { name, fixture, want } of choices) {
    test(`on ${version}: ${name} runs the ${want}`, async (t) => {
      const { stdout, stderr, status } = run(await checkout(t, fixture), ['up', '--flag=a b']);
      assert.equal(stdout, `${want} ${process.version} ["up","--flag=a b"]\n`, stderr);
      assert.equal(stderr, '', 'no warnings about stripped types');
      assert.equal(status, 0);
    });
  }

  test(`on ${version}: Node flags of a program reach its Node`, async (t) => {
    const text = 'console.log(JSON.stringify(process.execArgv));\n';
    for (const fixture of [{ source: text }, { built: text }, { built: text, bundled: text }]) {
      const bin = await checkout(t, fixture);
      await writeFile(join(dirname(bin), 'settings'), '# why\n--max-semi-space-size=8\n\nA=1\n');
      const text = await readFile(bin, 'utf8');
      await writeFile(bin, text.replace('bin:', "settings: 'bin/settings', bin:"));
      const { stdout, stderr } = run(bin);
      assert.match(stdout, /"--max-semi-space-size=8"\]\n$/, stderr);
    }
  });

  test(`on ${version}: compiled code is cached for the next start`, async (t) => {
    const cache = await temporaryDirectory(t);
    const bin = await checkout(t, { built });
    const env = { ...process.env, NODE_COMPILE_CACHE: undefined, TRIBUTARY_CACHE_DIR: cache };
    spawnSync(node, [bin], { env });
    assert.notDeepEqual(await readdir(join(cache, 'compile')), []);
  });

  for (const [what, fixture] of [
    ['sources', { source: 'process.exitCode = 7;\n' }],
    ['build', { built: 'process.exitCode = 7;\n' }],
  ] as const) {
    test(`on ${version}: the launcher exits with the exit code of the ${what}`, async (t) => {
      assert.equal(run(await checkout(t, fixture)).status, 7);
    });
  }

  test(`on ${version}: a program killed by a signal is a failure`, async (t) => {
    const { status, signal } = run(
      await checkout(t, { source: "process.kill(process.pid, 'SIGKILL');\n" }),
    );
    assert.ok(signal === 'SIGKILL' || status === 137, `${status} ${signal}`);
  });

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`on ${version}: ${signal} reaches the program, which ends by itself`, async (t) => {
      const program = `
        process.on('${signal}', () => { console.log('draining'); setTimeout(() => process.exit(5), 50); });
        setInterval(() => {}, 1000);
        console.log('ready');\n`;
      const bin = await checkout(t, { source: program });
      const started = await startProcess(t, {
        command: node,
        args: [bin],
        ready: logShows(/ready/),
      });
      process.kill(started.pid, signal); // A supervisor knows only the launcher's pid.
      assert.deepEqual(await started.exited, { code: 5, signal: null });
      assert.match(started.log(), /draining/);
    });
  }
}

if (oldNode !== undefined) {
  test(`on ${oldNode.version} without the pinned Node, the launcher says what to install`, async (t) => {
    const bin = await checkout(t, { source, pinnedNode: false });
    const { status, stderr, stdout } = spawnSync(oldNode.path, [bin], { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /Node 24 or newer is needed and this is v\d+/);
    assert.match(stderr, /npm ci/);
    assert.doesNotMatch(stderr, /^\s+at /m, 'a sentence, not a stack');
  });
}

for (const { name, bin } of programs(root)) {
  for (const { path: node, version } of nodes) {
    test(`${name} --help works on ${version}, from sources, after npm ci`, () => {
      const env = withNode(node);
      const { status, stdout, stderr } = spawnSync(bin, ['--help'], { encoding: 'utf8', env });
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`\\b${name}\\b`));
      assert.equal(stderr, '');
    });
  }
}

test('the settings of servers bound the young generation and the allocator', () => {
  assert.deepEqual(flags, ['--max-semi-space-size=8', '--min-semi-space-size=2']);
  assert.equal(variables.MALLOC_ARENA_MAX, '4');
});

test('an installed tributary up starts its bundle without the launcher', async (t) => {
  const folder = await temporaryDirectory(t);
  const bundle = join(folder, 'cli', 'bundle');
  const bin = join(folder, 'cli', 'bin', 'tributary');
  await mkdir(bundle, { recursive: true });
  await cp(bins, dirname(bin), { recursive: true });
  await writeFile(
    join(bundle, 'main.js'),
    `const { getCompileCacheDir } = require('node:module');
     console.log(process.argv.slice(2).join(), process.execArgv.join(), getCompileCacheDir());`,
  );
  const run = (env: NodeJS.ProcessEnv) => {
    const PATH = withNode(process.execPath).PATH;
    const started = spawnSync(bin, ['up', '--x=a b'], { encoding: 'utf8', env: { PATH, ...env } });
    return started.stdout.replace(/\/v24[^/]*\n$/, '');
  };
  const expected = `up,--x=a b ${flags.join()} `;
  assert.equal(run({ HOME: folder }), `${expected}${folder}/.cache/tributary/compile`);
  assert.equal(run({ XDG_CACHE_HOME: folder }), `${expected}${folder}/tributary/compile`);
  assert.equal(run({ TRIBUTARY_CACHE_DIR: folder }), `${expected}${folder}/compile`);
  assert.equal(run({ HOME: '/', NODE_COMPILE_CACHE: folder }), `${expected}${folder}`);
  // A checkout has sources, so the launcher decides.
  await mkdir(join(folder, 'cli', 'src'));
  await writeFile(join(dirname(bin), 'tributary.js'), "console.log('launcher');");
  assert.equal(run({ HOME: folder }), 'launcher\n');
});

test('tributary starts by name on the pinned Node through a link of npm', async (t) => {
  const folder = await temporaryDirectory(t);
  const home = join(folder, 'node_modules', '@tributary', 'cli', 'bin');
  await mkdir(home, { recursive: true });
  for (const name of ['tributary', 'server.settings']) await cp(join(bins, name), join(home, name));
  await writeFile(
    join(home, 'tributary.js'),
    'console.log(process.argv.slice(2).join(), process.execArgv.join(), process.env.MALLOC_ARENA_MAX);',
  );
  const pinnedNode = join(folder, 'node_modules', pinned, 'bin', 'node');
  await mkdir(dirname(pinnedNode), { recursive: true });
  await symlink(process.execPath, pinnedNode);
  const link = join(folder, 'linked');
  await symlink(join(home, 'tributary'), link);
  const env = { PATH: '/usr/bin:/bin' };
  const run = (args: string[], more = {}) =>
    spawnSync(link, args, { encoding: 'utf8', env: { ...env, ...more } }).stdout.trim();
  assert.equal(run(['up', '--x=a b']), `up,--x=a b ${flags.join()} 4`);
  assert.equal(run(['up'], { MALLOC_ARENA_MAX: '7' }), `up ${flags.join()} 7`);
  assert.equal(run(['doctor']), 'doctor  undefined');
});
