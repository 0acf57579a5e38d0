import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const cachedCode = join(import.meta.dirname, 'script-cache.ts');

/** Much that is compiled only when it is called. */
const statements = Array.from({ length: 500 }, (_, at) => `sum += String(sum).length * ${at};`);
const SCRIPT = `(function (exports, require, module, __filename, __dirname) {
'use strict';
exports.work = function () { let sum = 0; ${statements.join(' ')} return sum; };
exports.path = () => require('node:path').relative(__dirname, __filename);
exports.fail = () => { throw new Error('on purpose'); };
exports.imported = async () => (await import('./other.mjs')).name;
})`;

interface Site {
  readonly folder: string;
  readonly cache: string;
}

function site(t: TestContext): Site {
  const folder = mkdtempSync(join(tmpdir(), 'code-cache-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'script.js'), SCRIPT);
  writeFileSync(join(folder, 'other.mjs'), "export const name = 'other';\n");
  return { folder, cache: join(folder, 'cache') };
}

/** Runs the script in a Node of its own: some before it keeps its code, some after it. */
function run(
  { folder, cache }: Site,
  { before = '', after = '', hash = 'one', flags = [] as string[] },
) {
  const program = `
    import { loadCached } from ${JSON.stringify(pathToFileURL(cachedCode).href)};
    import { setFlagsFromString } from 'node:v8';
    const { exports, keep } = loadCached(new URL(${JSON.stringify(pathToFileURL(join(folder, 'script.js')).href)}), '${hash}');
    ${before};
    keep();
    ${after};`;
  const args = [
    '--disable-warning=ExperimentalWarning',
    ...flags,
    '--input-type=module',
    '--eval',
    program,
  ];
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
}

function retained({ cache }: Site): string[] {
  return readdirSync(cache).flatMap((version) =>
    readdirSync(join(cache, version))
      .filter((name) => name.startsWith('script-'))
      .map((name) => join(cache, version, name)),
  );
}

function onlyOne(files: readonly string[]): string {
  const [file, ...others] = files;
  assert.ok(file !== undefined && others.length === 0, files.join());
  return file;
}

/** Something that was not written just now. */
const LONG_AGO = new Date('2020-01-01T00:00:00Z');
const isOld = (file: string) => statSync(file).mtimeMs === LONG_AGO.getTime();
const age = (file: string) => utimesSync(file, LONG_AGO, LONG_AGO);

test('a script runs as a module in CommonJS does, also with cached code', (t) => {
  const here = site(t);
  const after = `
    console.log(exports.work() > 0, exports.path(), await exports.imported());
    try { exports.fail(); } catch (error) { console.log(/script\\.js:5:/.test(error.stack)); }`;
  for (const _ of ['without', 'with'])
    assert.equal(run(here, { after }), 'true script.js other\ntrue\n');
});

test('functions that have run by then are in the cached code', (t) => {
  const [early, late] = [site(t), site(t)];
  run(early, { after: 'exports.work()' });
  run(late, { before: 'exports.work()' });
  const [small, large] = [early, late].map((one) => statSync(onlyOne(retained(one))).size);
  assert.ok(Number(large) > Number(small) + 5_000, `${small} ${large}`);
});

test('code that is used is not written again', (t) => {
  const here = site(t);
  run(here, {});
  const file = onlyOne(retained(here));
  age(file);
  run(here, { before: 'exports.work()' });
  assert.ok(isOld(file));
});

const spoilt: readonly { name: string; spoil(file: string): void }[] = [
  { name: 'empty', spoil: (file) => writeFileSync(file, '') },
  { name: 'cut off', spoil: (file) => writeFileSync(file, readFileSync(file).subarray(0, 200)) },
  {
    name: 'changed in one place',
    spoil: (file) => {
      const bytes = readFileSync(file);
      bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  },
  { name: 'nothing of ours', spoil: (file) => writeFileSync(file, 'x'.repeat(5000)) },
];
for (const { name, spoil } of spoilt) {
  test(`a file that is ${name} is not used, and replaced`, (t) => {
    const here = site(t);
    run(here, {});
    const file = onlyOne(retained(here));
    spoil(file);
    age(file);
    assert.equal(run(here, { after: 'console.log(exports.work() > 0)' }), 'true\n');
    assert.ok(!isOld(file));
    age(file);
    run(here, {});
    assert.ok(isOld(file), 'and then used');
  });
}

test('a file of another user is not used', {
  skip: process.getuid?.() !== 0 && 'only root can make one',
}, (t) => {
  const here = site(t);
  run(here, {});
  const file = onlyOne(retained(here));
  chownSync(file, 12_345, 12_345);
  run(here, {});
  assert.equal(statSync(file).uid, 0, 'written anew');
});

test('cached code belongs to the text, the flags and the user', (t) => {
  const here = site(t);
  run(here, {});
  assert.equal(statSync(onlyOne(retained(here))).mode & 0o777, 0o600);
  run(here, { hash: 'two' });
  assert.equal(retained(here).length, 2);
  run(here, { flags: ['--no-allocation-site-pretenuring'] });
  assert.equal(retained(here).length, 3);
});

test('code compiled under other flags is not cached', (t) => {
  const here = site(t);
  run(here, { before: "setFlagsFromString('--no-allocation-site-pretenuring')" });
  assert.deepEqual(retained(here), []);
});

test('four releases side by side have a cache each', (t) => {
  const here = site(t);
  for (const [at, hash] of ['a', 'b', 'c', 'd'].entries()) {
    run(here, { hash });
    const file = retained(here).find((one) => one.endsWith(`-${hash}.code`)) ?? '';
    utimesSync(file, at, at);
  }
  run(here, { hash: 'e' });
  const hashes = retained(here).map((file) => /-(\w)\.code$/.exec(file)?.[1]);
  assert.deepEqual(hashes.sort(), ['b', 'c', 'd', 'e']);
});

test('the script runs where nothing can be written', (t) => {
  const here = site(t);
  mkdirSync(here.cache);
  run(here, {});
  const folder = join(onlyOne(retained(here)), '..');
  for (const file of retained(here)) rmSync(file);
  // A root user can write everywhere: a folder stands where the file would be.
  const file = join(folder, 'script-one.code');
  mkdirSync(file);
  writeFileSync(join(file, 'taken'), '');
  chmodSync(folder, 0o500);
  assert.equal(run(here, { after: 'console.log(exports.work() > 0)' }), 'true\n');
  chmodSync(folder, 0o700);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('script-')),
    ['script-one.code'],
  );
});

test('without a folder for compiled code, none is cached', (t) => {
  const here = site(t);
  const after = 'console.log(exports.path())';
  const off = { ...here, cache: '' };
  assert.equal(run(off, { after }), 'script.js\n');
});
