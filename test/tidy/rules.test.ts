/** Every rule has a tree that it rejects, because a rule that cannot fail checks nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rules } from './rules.ts';
import { treeOf } from './tree.ts';

/** Small and without objections; each case below changes one thing. */
const good: Readonly<Record<string, string>> = {
  'package.json': json({
    version: '0.1.0',
    scripts: {
      test: 'node scripts/run.mjs scripts/test.ts',
      'verify:x': 'node scripts/run.mjs scripts/x.ts',
      'update:x': 'node scripts/run.mjs scripts/x.ts --update',
    },
    devDependencies: { typescript: '7.0.2' },
  }),
  'package-lock.json': json({
    packages: {
      '': { devDependencies: { a: '1.0.0' } },
      'packages/server': { dependencies: { '@s/b': '1.0.0' } },
      'node_modules/a': {
        dependencies: { c: '1.0.0', '@s/b': '1.0.0' },
        devDependencies: { z: '1' },
      },
      'node_modules/a/node_modules/c': { dependencies: { '@s/b': '1.0.0' } },
      'node_modules/@s/b': {},
    },
  }),
  'CHANGELOG.md': '# Changelog\n\n## Unreleased\n\n- Something.\n',
  'README.md':
    'Caches live in ~/.cache, for example /home/user/.cache/; see https://host/root/x.\n',
  'docs/adr/0001-first.md': '# First\n',
  'docs/adr/0002-dependencies.md': '# Second\n\n| `ajv` | schemas |\n',
  'docs/reference/errors.md':
    '# Errors\n\n| name | code |\n| --- | --- |\n| `notFound` | 404 |\n\n## `gone`\n',
  'packages/apimachinery/package.json': manifest('apimachinery', {}),
  'packages/apimachinery/README.md': '# apimachinery\n',
  'packages/apimachinery/src/index.ts':
    "export { gone, notFound, statusText } from './errors/errors.ts';\nexport type { Shape } from './shape.ts';\n",
  'packages/apimachinery/src/shape.ts': 'export interface Shape {}\n',
  'packages/apimachinery/src/errors/errors.ts': [
    'export function notFound(name: string): StatusError {\n  return new StatusError(name);\n}\n',
    'export function gone(\n  name: string,\n): StatusError {\n  return new StatusError(name);\n}\n',
    'export function statusText(error: StatusError): string {\n  return error.message;\n}\n',
  ].join('\n'),
  'packages/apimachinery/src/errors/errors.test.ts':
    "import { test } from 'node:test';\nimport fc from 'fast-check';\nimport './errors.ts';\ntest('a', (t) => t.skip('why'));\n",
  'packages/server/package.json': manifest('server', {
    '@tributary/apimachinery': '0.1.0',
    ajv: '8.20.0',
  }),
  'packages/server/README.md': '# server\n',
  'packages/server/src/index.ts':
    "import { notFound } from '@tributary/apimachinery';\nimport { Ajv } from 'ajv/dist/2020.js';\nimport { join } from 'node:path';\n",
  'packages/server/bin/server.js':
    "await launch({ bin: import.meta.url, source: 'src/main.ts' });\n",
  'packages/server/src/main.ts': "await import('./lazy.ts');\n",
  'packages/server/src/lazy.ts': 'export const lazy = 1;\n',
  'scripts/run.mjs': '',
  'scripts/test.ts': "const worker = join(import.meta.dirname, 'worker.ts');\n",
  'scripts/worker.ts': '',
  'scripts/x.ts': '',
};

const bad: readonly { rule: string; name: string; files: Record<string, string>; want: RegExp }[] =
  [
    {
      rule: 'every package and sample has a README',
      name: 'a package without',
      files: { 'packages/storage/package.json': manifest('storage', {}) },
      want: /^packages\/storage\/README\.md is missing/,
    },
    {
      rule: 'every package and sample has a README',
      name: 'an empty one in a sample',
      files: { 'samples/x/package.json': manifest('x', {}), 'samples/x/README.md': '\n' },
      want: /^samples\/x\/README\.md/,
    },
    ...[
      ['test.only', "test.only('a', () => {});"],
      ['an option', "test('a', { only: true }, () => {});"],
      ['describe.skip', "describe.skip('a', () => {});"],
      ['test.todo', "test.todo('a');"],
      ['skip: true', "test('a', { skip: true }, () => {});"],
      ['t.skip()', "test('a', (t) => t.skip());"],
      ['after a string with a quote', 'const a = "it\'s"; test.skip(a);'],
      ['after a regular expression', "const a = /['\"]/; test.skip('a');"],
      ['after a template', "const a = `#{'`'}`; test.skip('a');".replace('#', '$')],
      ['after a division', 'const a = b / c; const d = e / f; test.skip(a);'],
    ].map(([name = '', line = '']) => ({
      rule: 'no test is singled out, or skipped without a reason',
      name,
      files: { 'test/a.test.ts': `// test.only\nconst text = 'test.only(';\n${line}\n` },
      want: /^test\/a\.test\.ts:3: /,
    })),
    ...[
      ['a literal sleep', 'await sleep(50);'],
      ['a literal delay with options', 'await delay(1_000, undefined, { signal });'],
      ['a timer', 'setTimeout(resolve, 20);'],
      ['a sleep of a constant', 'await sleep(SETTLE_MS);'],
      ['a bound on elapsed time', 'assert.ok(performance.now() - started < 1000);'],
      ['a deadline', 'while (Date.now() < deadline) await look();'],
      ['a bound on a duration', 'assert.ok(tookMs < 5);'],
      ['a bound on a measured value', 'assert.ok(time.elapsedMs() <= 5);'],
      ['a percentile', 'assert.ok(p99 < 5);'],
      ['own time', 'using time = ownTime();'],
    ].map(([name = '', line = '']) => ({
      rule: 'no test depends on the wall clock',
      name,
      files: { 'interop/a.ts': `// sleep(5)\n${line}\n` },
      want: /^interop\/a\.ts:2 /,
    })),
    {
      rule: 'flags of V8 are set in one place',
      name: 'a flag that is set by another file',
      files: {
        'packages/server/src/main.ts':
          "import { setFlagsFromString } from 'node:v8';\nawait import('./lazy.ts');\n",
      },
      want: /^packages\/server\/src\/main\.ts sets a flag of the process/,
    },
    {
      rule: 'every source file is used',
      name: 'a file nobody imports',
      files: { 'packages/server/src/orphan.ts': '' },
      want: /^packages\/server\/src\/orphan\.ts is not reachable/,
    },
    {
      rule: 'every source file is used',
      name: 'a file only its own test imports',
      files: {
        'packages/server/src/orphan.ts': '',
        'packages/server/src/orphan.test.ts':
          "import { a } from './orphan.ts';\ntest('a', () => {});\n",
      },
      want: /^packages\/server\/src\/orphan\.ts is not reachable/,
    },
    {
      rule: 'rooms of a package import only rooms above them',
      name: 'a room that imports a room below it',
      files: rooms({
        'http/listener.ts': '',
        'request/info.ts': "import '../http/listener.ts';\n",
      }),
      want: /request\/info\.ts imports .*http\/listener\.ts: the room http is drawn below request/,
    },
    {
      rule: 'rooms of a package import only rooms above them',
      name: 'a room that the README does not draw',
      files: rooms({ 'http/listener.ts': '', 'request/info.ts': '', 'misc/a.ts': '' }),
      want: /packages\/client\/src\/misc is not among the rooms/,
    },
    {
      rule: 'rooms of a package import only rooms above them',
      name: 'a room that is only drawn',
      files: rooms({ 'http/listener.ts': '', 'http/a.ts': '', 'other/a.ts': '' }),
      want: /draws the room request\//,
    },
    {
      rule: 'rooms of a package import only rooms above them',
      name: 'a file outside of the rooms',
      files: rooms({ 'http/listener.ts': '', 'request/info.ts': '', 'loose.ts': '' }),
      want: /packages\/client\/src\/loose\.ts stands outside/,
    },
    {
      rule: 'no module imports itself through others',
      name: 'a circle of types',
      files: rooms({
        'request/info.ts': "import type { A } from './a.ts';\n",
        'request/a.ts': "import type { B } from './b.ts';\n",
        'request/b.ts': "export type { C } from './info.ts';\n",
      }),
      want: /circle: .*request\/a\.ts, .*request\/b\.ts, .*request\/info\.ts/,
    },
    {
      rule: 'every source file is used',
      name: 'two files that only import each other',
      files: {
        'packages/server/src/one.ts': "import './two.ts';\n",
        'packages/server/src/two.ts': "import './one.ts';\n",
      },
      want: /one\.ts is not reachable[\s\S]*two\.ts is not reachable/,
    },
    {
      rule: 'every source file is used',
      name: 'a script that package.json does not run',
      files: { 'scripts/old.ts': '' },
      want: /^scripts\/old\.ts/,
    },
    {
      rule: 'imports point one way',
      name: 'a dependency upwards',
      files: {
        'packages/apimachinery/package.json': manifest('apimachinery', {
          '@tributary/server': '0.1.0',
        }),
      },
      want: /^packages\/apimachinery\/package\.json: apimachinery must not depend on server/,
    },
    {
      rule: 'imports point one way',
      name: 'an engine in the library',
      files: {
        'packages/server/package.json': manifest('server', {
          '@tributary/apimachinery': '0.1.0',
          '@tributary/storage-sqlite': '0.1.0',
          ajv: '8.20.0',
        }),
      },
      want: /server must not depend on storage-sqlite/,
    },
    {
      rule: 'imports point one way',
      name: 'an import without a dependency',
      files: { 'packages/server/src/lazy.ts': "import type { A } from '@tributary/storage';\n" },
      want: /^packages\/server\/src\/lazy\.ts imports @tributary\/storage, which/,
    },
    {
      rule: 'imports point one way',
      name: 'a package from outside without a dependency',
      files: { 'packages/server/src/lazy.ts': "export * from '@scope/x/y';\n" },
      want: /imports @scope\/x, which/,
    },
    {
      rule: 'imports point one way',
      name: 'a path into another package',
      files: {
        'packages/server/src/lazy.ts': "import {\n  a,\n} from '../../apimachinery/src/a.ts';\n",
      },
      want: /which is outside of its package/,
    },
    {
      rule: 'imports point one way',
      name: 'a package that the table does not know',
      files: { 'packages/new/package.json': manifest('new', {}) },
      want: /^packages\/new is unknown/,
    },
    ...['^1.0.0', '~1.0.0', '*', 'latest', '1.x', 'github:a/b'].map((version) => ({
      rule: 'versions of dependencies are exact',
      name: version,
      files: { 'samples/x/package.json': manifest('x', { a: version }) },
      want: /^samples\/x\/package\.json: a is ".*", not an exact version/,
    })),
    {
      rule: 'rooms of a package import only rooms above them',
      name: 'a README without a drawing',
      files: {
        ...rooms({ 'request/a.ts': '', 'http/b.ts': '' }),
        'packages/client/README.md': '# client\n',
      },
      want: /^packages\/client\/README\.md does not draw the rooms of packages\/client\/src/,
    },
    {
      rule: 'every runtime dependency has a reason',
      name: 'a dependency without one',
      files: { 'docs/adr/0002-dependencies.md': '# Second\n' },
      want: /^packages\/server\/package\.json: docs\/adr\/0002-dependencies\.md has no reason for ajv/,
    },
    {
      rule: 'all packages share one version',
      name: 'a package of another version',
      files: { 'packages/storage/package.json': json({ version: '0.2.0' }) },
      want: /^packages\/storage\/package\.json: version 0\.2\.0, the release is 0\.1\.0/,
    },
    {
      rule: 'all packages share one version',
      name: 'a package that wants an older one',
      files: { 'samples/x/package.json': manifest('x', { '@tributary/server': '0.0.9' }) },
      want: /@tributary\/server is 0\.0\.9/,
    },
    {
      rule: 'the lockfile names no registry',
      name: 'a host',
      files: {
        'package-lock.json': json({ a: { resolved: 'https://registry.example.com/a.tgz' } }),
      },
      want: /names https:\/\/registry\.example\.com$/,
    },
    {
      rule: 'the lockfile is complete',
      name: 'an optional package that is not there',
      files: {
        'package-lock.json': json({
          packages: {
            'node_modules/a': { optionalDependencies: { 'a-win32': '1.0.0' } },
            'node_modules/b/node_modules/a-win32': {},
          },
        }),
      },
      want: /^package-lock\.json has no entry for a-win32 1\.0\.0 of node_modules\/a$/,
    },
    ...[
      ['home', ['', 'home', 'alice', 'project'].join('/')],
      ['Users', ['', 'Users', 'alice', 'project'].join('/')],
      ['root', ['', 'root', '.cache'].join('/')],
      ['work', ['', 'work', 'main'].join('/')],
    ].map(([name = '', path = '']) => ({
      rule: 'nothing depends on where somebody keeps their files',
      name,
      files: { 'docs/guide.md': `cd ${path}\n` },
      want: /^docs\/guide\.md mentions/,
    })),
    {
      rule: 'files named by the architecture and by READMEs exist',
      name: 'a file that was moved',
      files: { 'docs/architecture.md': 'A GET is served by `server/src/verbs/got.ts`.' },
      want: /architecture\.md names server\/src\/verbs\/got\.ts, which does not exist/,
    },
    {
      rule: 'there is a changelog',
      name: 'none',
      files: { 'CHANGELOG.md': '' },
      want: /missing or empty/,
    },
    {
      rule: 'there is a changelog',
      name: 'no entry',
      files: { 'CHANGELOG.md': '# Changelog\n' },
      want: /no entry/,
    },
    {
      rule: 'decisions are numbered without gaps',
      name: 'a gap',
      files: { 'docs/adr/0004-fourth.md': '' },
      want: /0004-fourth\.md: the next number is 0003/,
    },
    {
      rule: 'decisions are numbered without gaps',
      name: 'a number used twice',
      files: { 'docs/adr/0002-another.md': '' },
      want: /the next number is 0003/,
    },
    {
      rule: 'decisions are numbered without gaps',
      name: 'a bad name',
      files: { 'docs/adr/3-Third.md': '' },
      want: /3-Third\.md: call it/,
    },
    {
      rule: 'the reference of errors matches the constructors',
      name: 'a constructor that is not listed',
      files: { 'docs/reference/errors.md': '| `notFound` | 404 |\n' },
      want: /does not list `gone`/,
    },
    {
      rule: 'the reference of errors matches the constructors',
      name: 'an entry without a constructor',
      files: { 'docs/reference/errors.md': '| `notFound` |\n| `gone` |\n| `teapot` |\n' },
      want: /lists `teapot`/,
    },
    {
      rule: 'the reference of errors matches the constructors',
      name: 'a constructor that is not exported',
      files: {
        'packages/apimachinery/src/index.ts': "export { notFound } from './errors/errors.ts';\n",
      },
      want: /gone is not exported/,
    },
    {
      rule: 'every verify script has its update script',
      name: 'one without',
      files: { 'package.json': json({ version: '0.1.0', scripts: { 'verify:y': 'y' } }) },
      want: /verify:y and no update:y/,
    },
    ...[
      ['a function', 'function judgeSpec() {}', 'judgeSpec'],
      ['a type', 'interface HTTPAnswer {}', 'HTTPAnswer'],
      ['a member', 'const a = { toldAt: 1 };', 'toldAt'],
      ['a constant', 'const KEPT_MAX = 1;', 'KEPT_MAX'],
      ['a private member', 'this.#settleLater();', 'settleLater'],
      ['a promise or a value', 'type A = EventuallyAll<B>;', 'EventuallyAll'],
    ].map(([name = '', line = '', want = '']) => ({
      rule: "names use Kubernetes' words",
      name,
      files: { 'tools/a.ts': `// an answer that was told\nconst b = 'judge';\n${line}\n` },
      want: new RegExp(`^tools/a\\.ts: instead of ${want} write [^\\n]+$`),
    })),
    {
      rule: "names use Kubernetes' words",
      name: 'a file',
      files: { 'tools/wish-list.md': '', 'tools/heartbeat-settled.md': '' },
      want: /^tools\/wish-list\.md: instead of wish-list\.md write [^\n]+$/,
    },
    ...[
      ['a person', '/** Closes it for whoever asks. */'],
      ['a pronoun', '/** What is sent. */'],
      ['a sentence in the middle', '// Sends them. Who is late\n// loses the first.'],
      ['a comment of lines', "const a = '// x';\n// Sent to every client, and\n// nobody waits."],
    ].map(([name = '', text = '']) => ({
      rule: 'comments are about the program',
      name,
      files: { 'tools/a.ts': `const x = "nobody"; // Does what it says.\n\n${text}\n` },
      want: /^tools\/a\.ts:[34]: "\w+": [^\n]+$/,
    })),
  ];

function json(value: unknown): string {
  return JSON.stringify(value);
}

function manifest(name: string, dependencies: Record<string, string>): string {
  const exports = { '.': { 'tributary-source': './src/index.ts' } };
  return json({ name: `@tributary/${name}`, version: '0.1.0', exports, dependencies });
}

for (const { name, check } of rules) {
  test(`no objection to a good tree: ${name}`, () => assert.deepEqual(check(treeOf(good)), []));

  test(`a bad tree is known for: ${name}`, () => {
    assert.ok(bad.some(({ rule }) => rule === name));
  });

  for (const { name: what, files, want } of bad.filter(({ rule }) => rule === name)) {
    test(`${name}: ${what} is objected to`, () => {
      assert.match(check(treeOf({ ...good, ...files })).join('\n'), want);
    });
  }
}

/** Rules that need files to check must reject an empty tree. */
const neverEmpty = [
  'no test is singled out, or skipped without a reason',
  'imports point one way',
  'all packages share one version',
  'the lockfile names no registry',
  'the lockfile is complete',
  'there is a changelog',
  'decisions are numbered without gaps',
  'the reference of errors matches the constructors',
];
for (const { name, check } of rules.filter((rule) => neverEmpty.includes(rule.name))) {
  test(`an empty tree is objected to: ${name}`, () => {
    assert.notDeepEqual(check(treeOf({})), []);
  });
}

/** A package whose README draws two rooms. */
function rooms(files: Readonly<Record<string, string>>): Record<string, string> {
  const sources = Object.entries(files).map(([path, text]) => [
    `packages/client/src/${path}`,
    text,
  ]);
  return {
    'packages/client/package.json': manifest('client', {}),
    'packages/client/README.md': '# client\n\n```\nrequest/  requests\nhttp/  the listener\n```\n',
    ...Object.fromEntries(sources),
  };
}
