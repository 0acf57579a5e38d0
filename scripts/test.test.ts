/** Tests of the runner: one for each way in which it could report a failure as a success. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sourceFlags } from '../packages/server/launcher.js';
import type { TestScope } from '../test/harness/scope.ts';
import { temporaryDirectory } from '../test/harness/temporary.ts';
import { type RunResult, runJobs, type Settings } from './test.ts';
import { findTestFiles, planJobs, selectFiles, suites } from './test-plan.ts';
import { closingLine, slowestLines } from './test-report.ts';

async function writeTree(t: TestScope, files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryDirectory(t);
  for (const [path, content] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

interface Printed extends RunResult {
  printed: string;
}

function run(t: TestScope, body: string, settings: Partial<Settings> = {}): Promise<Printed> {
  return runShared(t, { 'a.test.ts': body }, settings);
}

/** Runs several files in one process. */
async function runShared(
  t: TestScope,
  bodies: Readonly<Record<string, string>>,
  settings: Partial<Settings> = {},
): Promise<Printed> {
  const head = `import { after, before, beforeEach, describe, test } from 'node:test';\n`;
  const root = await writeTree(
    t,
    Object.fromEntries(
      Object.entries(bodies).map(([name, body]) => [name, `${head}${body}\n`] as const),
    ),
  );
  const printed: string[] = [];
  const result = await runJobs({
    root,
    suite: { ...suites.default, fileTimeoutMs: 20_000 },
    jobs: [{ files: Object.keys(bodies), seconds: 0 }],
    namePattern: undefined,
    policy: { ci: false, tolerated: 'Go is missing' },
    print: (line) => void printed.push(line),
    ...settings,
  });
  return { ...result, printed: printed.join('\n') };
}

const cases = [
  {
    name: 'tests and subtests count, suites do not',
    body: `describe('s', () => { test('a', () => {}); });
           test('p', async (t) => { await t.test('c', () => {}); });`,
    want: '3 passed, 0 failed',
  },
  {
    name: 'a failure counts once, however deep it is',
    body: `describe('s', () => { test('p', async (t) => { await t.test('c', () => { throw new Error('deep'); }); }); });`,
    want: '0 passed, 1 failed',
    prints: /s > p > c[\s\S]*a\.test\.ts:\d+[\s\S]*Error: deep/,
  },
  {
    name: 'a failed hook of a suite is a failure',
    body: `describe('s', () => { before(() => { throw new Error('no database'); }); test('a', () => {}); });`,
    want: '0 passed, 2 failed',
    prints: /✖ s\n[\s\S]*no database[\s\S]*did not run because of it:\n +s > a/,
  },
  {
    name: 'a file that does not load is a failure',
    body: `test('a', () => {`,
    want: '0 passed, 1 failed',
    prints: /outside of a test[\s\S]*(SyntaxError|SYNTAX)/,
  },
  {
    name: 'a file without tests is a failure',
    body: '',
    want: '0 passed, 1 failed',
    prints: /has no tests/,
  },
  {
    name: 'process.exit(0) in the middle is a failure',
    body: `test('a', () => {}); test('leaves', () => process.exit(0)); test('b', () => { throw new Error(); });`,
    want: /^[01] passed, 1 failed$/,
    prints: /called process\.exit before/,
  },
  {
    name: 'an error after the test is over is a failure',
    body: `test('a', () => { setTimeout(() => { throw new Error('late'); }, 30); }); setTimeout(() => {}, 100);`,
    want: '1 passed, 1 failed',
  },
  {
    name: 'a test killed with its process is a failure',
    body: `test('a', () => { process.kill(process.pid, 'SIGKILL'); });`,
    want: '0 passed, 1 failed',
    prints: /ended by SIGKILL; unfinished: a|ended by SIGKILL/,
  },
  {
    name: 'a file runs with the flags of Node that it names',
    body: `\n// Flags: --expose-gc --no-opt\ntest('a', () => { if (!process.execArgv.includes('--no-opt')) throw new Error('without'); globalThis.gc(); });`,
    want: '1 passed, 0 failed',
  },
  {
    name: 'a skip is counted and named',
    body: `test('a', () => {}); test('b', (t) => t.skip('no moon')); test.skip('c', () => {});`,
    want: '1 passed, 0 failed, 2 skipped',
    skips: ['no moon', 'no reason'],
  },
  {
    name: 'a to-do is neither passed nor failed',
    body: `test('a', () => {}); test('b', { todo: 'later' }, () => { throw new Error('not yet'); });`,
    want: '1 passed, 0 failed',
  },
  {
    name: 'an assertion shows its difference',
    body: `import assert from 'node:assert/strict'; test('a', () => assert.deepEqual({ code: 404 }, { code: 409 }));`,
    want: '0 passed, 1 failed',
    prints: /\+\s+code: 404[\s\S]*-\s+code: 409/,
  },
  {
    name: 'the output of a file with a failure is shown',
    body: `console.log('server log'); test('a', () => { throw new Error('x'); });`,
    want: '0 passed, 1 failed',
    prints: /\| server log/,
  },
];
for (const { name, body, want, prints, skips } of cases) {
  test(name, async (t) => {
    const result = await run(t, body);
    const closing = closingLine(result.counts);
    if (typeof want === 'string') assert.equal(closing, want, result.printed);
    else assert.match(closing, want, result.printed);
    if (prints) assert.match(result.printed, prints);
    if (skips) assert.deepEqual([...result.skips.keys()], skips);
  });
}

test('failures are repeated at the end, with the name of their file and a bounded text', async (t) => {
  const body = `test('a', () => { throw new Error('x'.repeat(9_000)); }); test('b', () => {});`;
  const { failures } = await run(t, body);
  assert.equal(failures.length, 1);
  assert.match(failures[0] ?? '', /FAILED.* .*\.test\.ts: a\n +.*x{1000}/);
  assert.ok((failures[0] ?? '').length < 3_000);
});

test('the output of a file that passes is hidden, except progress', async (t) => {
  const { printed } = await run(
    t,
    `test('a', () => { console.log('noise'); console.error('▸ installing'); });`,
  );
  assert.doesNotMatch(printed, /noise/);
  assert.match(printed, /▸ installing/);
});

test('a test that hangs is named, cleans up, and its file is ended', async (t) => {
  const suite = { ...suites.default, fileTimeoutMs: 3_000 };
  const { counts, printed } = await run(
    t,
    `test('good', () => {});
     test('hangs', async (t) => {
       t.after(() => console.log('cleaned up'));
       setInterval(() => {}, 1000);
       await new Promise(() => {});
     });`,
    { suite },
  );
  assert.ok(counts.failed >= 1, printed);
  assert.match(printed, /did not end within \d+ ms/);
  assert.match(printed, /✖ hangs[\s\S]*timed out after 1500ms/);
  assert.match(printed, /\| cleaned up/);
});

test('a test that blocks the event loop is killed', async (t) => {
  const suite = { ...suites.default, fileTimeoutMs: 500 };
  const { printed } = await run(t, `test('spins', () => { for (;;); });`, { suite });
  assert.match(printed, /did not end within 500 ms/);
});

test('a file whose process stays alive after its tests fails', async (t) => {
  const suite = { ...suites.default, fileTimeoutMs: 1_000 };
  const { counts, printed } = await run(
    t,
    `test('leaks', () => { setInterval(() => {}, 1000); });`,
    {
      suite,
    },
  );
  assert.equal(counts.failed, 1);
  assert.match(printed, /did not end within 1000 ms.*an open handle keeps the process alive/);
});

test('files that do not fit into the time of the suite are failures', async (t) => {
  const suite = { ...suites.default, totalTimeoutMs: 0 };
  const { counts, printed } = await run(t, `test('a', () => {});`, { suite });
  assert.equal(closingLine(counts), '0 passed, 1 failed');
  assert.match(printed, /not run/);
});

test('with CI=true a skip is a failure, except for a missing Go', async (t) => {
  const body = `test('a', (t) => t.skip('etcd is missing')); test('b', (t) => t.skip('Go is missing; see x'));`;
  const { counts } = await run(t, body, { policy: { ci: true, tolerated: 'Go is missing' } });
  assert.equal(closingLine(counts), '0 passed, 1 failed, 1 skipped');
});

test('tests get the environment of their suite', async (t) => {
  const { environment } = suites.full;
  assert.deepEqual(environment, { TRIBUTARY_FULL: '1' });
  const body = `test('a', () => { if (process.env.TRIBUTARY_FULL !== '1') throw new Error('short'); });`;
  const { counts } = await run(t, body, { suite: { ...suites.default, environment } });
  assert.equal(closingLine(counts), '1 passed, 0 failed');
});

test('a name selects the tests that run', async (t) => {
  const body = `test('one', () => {}); test('two', () => { throw new Error(); });`;
  const { counts } = await run(t, body, { namePattern: 'one' });
  assert.equal(closingLine(counts), '1 passed, 0 failed');
});

test('a run within a test does not report into the outer run', async (t) => {
  const body = `import { spawnSync } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    test('outer', () => {
      writeFileSync('inner.mjs', "import { test } from 'node:test'; test('inner', () => { throw new Error(); });");
      spawnSync(process.execPath, [...process.execArgv, 'inner.mjs']);
    });`;
  const { counts } = await run(t, body);
  assert.equal(closingLine(counts), '1 passed, 0 failed');
});

test('the plan has every folder, and runs live and long tests only on demand', async (t) => {
  const root = await writeTree(t, {
    'packages/a/src/x.test.ts': '',
    'packages/a/src/x.ts': '',
    'packages/a/dist/x.test.ts': '',
    'packages/a/node_modules/y/z.test.ts': '',
    'test/fixtures/broken.test.ts': '',
    'interop/golden/replay.test.ts': '',
    'interop/live/real.test.ts': '',
    'interop/live/long.full.test.ts': '',
    'interop/soak/soak.full.test.ts': '',
    'interop/soak/figures.test.ts': '',
    'test/a/mutants.slow.test.ts': '',
    'test/a/latency.timing.test.ts': '',
  });
  const plan = {
    default: [
      'interop/golden/replay.test.ts',
      'interop/soak/figures.test.ts',
      'packages/a/src/x.test.ts',
    ],
    interop: ['interop/live/real.test.ts', 'test/a/mutants.slow.test.ts'],
    full: [
      'interop/golden/replay.test.ts',
      'interop/live/long.full.test.ts',
      'interop/live/real.test.ts',
      'interop/soak/figures.test.ts',
      'interop/soak/soak.full.test.ts',
      'packages/a/src/x.test.ts',
      'test/a/mutants.slow.test.ts',
    ],
    timing: ['test/a/latency.timing.test.ts'],
  } as const;
  for (const name of Object.keys(suites) as (keyof typeof suites)[]) {
    assert.deepEqual(findTestFiles(root, suites[name]), plan[name], name);
  }
});

test('every file is in the full suite or a timing test, and in at most one of the two others', () => {
  const root = join(import.meta.dirname, '..');
  const all = new Set(findTestFiles(root, { ...suites.full, includes: () => true }));
  const [usual, live, full, timing] = (['default', 'interop', 'full', 'timing'] as const).map(
    (name) => new Set(findTestFiles(root, suites[name])),
  );
  assert.ok(usual && live && full && timing);
  assert.deepEqual([...usual.intersection(live)], []);
  assert.deepEqual([...full.intersection(timing)], []);
  assert.deepEqual([...all.difference(full).difference(timing)], []);
  for (const file of full.difference(usual).difference(live))
    assert.match(file, /\.full\.test\.ts$/);
});

test('unit files of a package share a process, and the longest job starts first', async (t) => {
  const root = await writeTree(t, {
    'packages/a/src/one.test.ts': '',
    'packages/a/src/two.test.ts': '',
    'packages/a/src/three.test.ts': '',
    'packages/a/src/flags.test.ts': '// Flags: --expose-gc\n',
    'packages/a/src/own.test.ts': "// Own process: replaces the process's clock\n",
    'packages/a/src/long.slow.test.ts': '',
    'packages/a/test/server.test.ts': '',
    'packages/b/src/one.test.ts': '',
  });
  const all = findTestFiles(root, { ...suites.default, includes: () => true });
  const durations = {
    'packages/a/test/server.test.ts': 9,
    'packages/a/src/one.test.ts': 15,
    'packages/a/src/three.test.ts': 3,
    'packages/a/src/two.test.ts': 4,
  };
  const plan = (share: boolean) =>
    planJobs(all, { root, durations, share }).map(({ files }) => files.join(' '));
  assert.deepEqual(plan(true), [
    'packages/a/src/one.test.ts packages/a/src/three.test.ts',
    'packages/a/test/server.test.ts',
    'packages/a/src/two.test.ts',
    'packages/a/src/flags.test.ts',
    'packages/a/src/long.slow.test.ts',
    'packages/a/src/own.test.ts',
    'packages/b/src/one.test.ts',
  ]);
  assert.equal(plan(false).length, all.length);
  const reversed = planJobs(all, {
    root,
    durations,
    share: true,
    shuffle: (items) => items.toReversed(),
  });
  const two = reversed.find(({ files }) => files.includes('packages/a/src/two.test.ts'));
  assert.deepEqual(two?.files, ['packages/a/src/two.test.ts', 'packages/a/src/three.test.ts']);
});

const shared: readonly {
  name: string;
  files: Readonly<Record<string, string>>;
  want: string;
  prints?: RegExp;
}[] = [
  {
    name: 'each file is counted, and its hooks are its own',
    files: {
      'a.test.ts': `let n = 0; beforeEach(() => { n += 1; }); after(() => { globalThis.over = true; });
                    test('a', () => {}); describe('s', () => test('b', () => { if (n !== 2) throw new Error(n); }));`,
      'b.test.ts': `if (!globalThis.over) throw new Error('loaded too early'); test('a', () => {});`,
    },
    want: '3 passed, 0 failed',
    prints: /a\.test\.ts {2}2 passed[\s\S]*b\.test\.ts {2}1 passed/,
  },
  {
    name: 'a file that does not load fails alone',
    files: { 'a.test.ts': `throw new Error('no');`, 'b.test.ts': `test('a', () => {});` },
    want: '1 passed, 1 failed',
    prints: /this file could not be loaded[\s\S]*Error: no/,
  },
  {
    name: 'a file without tests is a failure',
    files: { 'a.test.ts': '', 'b.test.ts': `test('a', () => {});` },
    want: '1 passed, 1 failed',
    prints: /a\.test\.ts[\s\S]*has no tests/,
  },
  {
    name: 'a file that ends the process is a failure, and the files after it still run',
    files: {
      'a.test.ts': `test('a', () => {});`,
      'b.test.ts': `test('leaves', () => process.exit(0));`,
      'c.test.ts': `test('a', () => {});`,
      'd.test.ts': `test('a', () => {});`,
    },
    want: '3 passed, 1 failed',
    prints: /b\.test\.ts[\s\S]*called process\.exit/,
  },
  {
    name: 'a file that fails only beside another file is a failure',
    files: {
      'a.test.ts': `test('a', () => { globalThis.company = true; });`,
      'b.test.ts': `test('b', () => { if (globalThis.company) process.kill(process.pid, 'SIGKILL'); });`,
    },
    want: '2 passed, 1 failed',
    prints: /passes alone, but a process it shares ended with SIGKILL/,
  },
  {
    name: 'a file that is killed is a failure, and the files after it still run',
    files: {
      'a.test.ts': `test('dies', () => process.kill(process.pid, 'SIGKILL'));`,
      'b.test.ts': `test('a', () => {});`,
    },
    want: '1 passed, 1 failed',
    prints: /a\.test\.ts[\s\S]*ended by SIGKILL/,
  },
  {
    name: 'a failed test is reported with the name of its file',
    files: {
      'a.test.ts': `test('a', () => {});`,
      'b.test.ts': `describe('s', () => test('t', () => { throw new Error('x'); }));`,
    },
    want: '1 passed, 1 failed',
    prints: /b\.test\.ts[\s\S]*✖ s > t/,
  },
];
for (const { name, files, want, prints } of shared) {
  test(`in a shared process ${name}`, async (t) => {
    const { counts, printed } = await runShared(t, files);
    assert.equal(closingLine(counts), want, printed);
    if (prints) assert.match(printed, prints);
  });
}

test('a shared process that stays alive after its tests fails', async (t) => {
  const suite = { ...suites.default, fileTimeoutMs: 2_000 };
  const files = {
    'a.test.ts': `test('leaks', () => { setInterval(() => {}, 1000); });`,
    'b.test.ts': `test('a', () => {});`,
  };
  const { counts, printed } = await runShared(t, files, { suite });
  assert.equal(counts.failed, 1);
  assert.match(printed, /did not end within 2000 ms.*an open handle keeps the process alive/);
});

test('the slowest files and tests are listed, without tests that only contain subtests', async (t) => {
  const body = `test('p', async (t) => { await t.test('c', () => {}); }); describe('s', () => test('d', () => {}));`;
  const { outcomes } = await run(t, body);
  const text = slowestLines(outcomes).join('\n');
  assert.match(text, /slowest files:\n +[\d.]+ s {2}a\.test\.ts\n/);
  assert.match(text, /a\.test\.ts: p > c/);
  assert.match(text, /a\.test\.ts: s > d/);
  assert.doesNotMatch(text, /: p\n|: s\n/);
});

test('a filter is a file, a folder or a part of a path, and fails without a match', () => {
  const files = [
    'packages/storage/a.test.ts',
    'packages/storage-sqlite/b.test.ts',
    'test/c.test.ts',
  ];
  assert.deepEqual(selectFiles(files, []), files);
  assert.deepEqual(selectFiles(files, ['packages/storage']), ['packages/storage/a.test.ts']);
  assert.deepEqual(selectFiles(files, ['./test/']), ['test/c.test.ts']);
  assert.deepEqual(selectFiles(files, ['test/c']), ['test/c.test.ts']);
  assert.deepEqual(selectFiles(files, ['sqlite', 'c.test']), files.slice(1));
  assert.throws(() => selectFiles(files, ['nothing']), /no test file matches nothing/);
});

const commands = [
  { name: 'help', args: ['--help'], code: 0, output: /Usage: npm test/ },
  { name: 'an unknown suite', args: ['--suite', 'x'], code: 2, output: /no suite is called x/ },
  { name: 'an unknown option', args: ['--frobnicate'], code: 2, output: /frobnicate/ },
  {
    name: 'a filter without files',
    args: ['no-such-file'],
    code: 2,
    output: /no test file matches/,
  },
  {
    name: 'a name that matches no test',
    args: ['scripts/test.test.ts', '--name', 'there is no such test'],
    code: 1,
    output: /0 passed, \d failed\n$/,
  },
  {
    name: 'a run',
    args: ['scripts/test.test.ts', '--name', 'a filter is a file'],
    code: 0,
    output: /\n1 passed, 0 failed\n$/,
  },
];
for (const { name, args, code, output } of commands) {
  test(`npm test handles ${name}`, () => {
    const script = join(import.meta.dirname, 'test.ts');
    const result = spawnSync(process.execPath, [...sourceFlags(), script, ...args], {
      encoding: 'utf8',
    });
    assert.match(result.stdout + result.stderr, output);
    assert.equal(result.status, code);
  });
}
