import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { sourceFlags } from '../packages/server/launcher.js';
import { eventually } from '../test/harness/eventually.ts';
import { skipOrFail } from '../test/harness/prerequisites.ts';
import { isAlive } from '../test/harness/process-group.ts';
import type { TestScope } from '../test/harness/scope.ts';
import { temporaryDirectory } from '../test/harness/temporary.ts';
import {
  busyLoops,
  clockEnvironment,
  conditionsOf,
  findOrInstallClockLibrary,
  usesRealPrograms,
} from './test-conditions.ts';
import { reportText } from './test-full.ts';
import { parseResultLines, type ResultLine } from './test-results.ts';
import { compareRuns } from './test-steady.ts';

const root = join(import.meta.dirname, '..');

const line = (test: string, outcome: string): ResultLine => ({
  file: 'a.test.ts',
  test,
  outcome,
  durationMs: 1,
  ...(outcome === 'failed' ? { error: 'Error: why' } : {}),
});

const cases: readonly { name: string; runs: string[][]; code?: number; want: RegExp[] }[] = [
  { name: 'the same every time', runs: [['t passed'], ['t passed']], want: [] },
  { name: 'the same skip every time', runs: [['t skipped'], ['t skipped']], want: [] },
  {
    name: 'a failure in one run',
    runs: [['t passed'], ['t failed']],
    code: 1,
    want: [/^a\.test\.ts: t: passed, failed; not passed in run 2\n +Error: why/],
  },
  {
    name: 'a failure in every run',
    runs: [['t failed'], ['t failed']],
    want: [/failed; .*run 1, 2/],
  },
  {
    name: 'a test that is missing in one run',
    runs: [['t passed', 'u passed'], ['t passed']],
    want: [/^a\.test\.ts: u: passed, missing; not passed in run 2/],
  },
  {
    name: 'a run without results',
    runs: [['t passed'], []],
    want: [/run 2 has no results/, /missing/],
  },
  {
    name: 'a run that fails without a failed test',
    runs: [['t passed'], ['t passed']],
    code: 1,
    want: [/run 2 ended with code 1/],
  },
];
for (const { name, runs, code = 0, want } of cases) {
  test(`comparing runs: ${name}`, () => {
    const recorded = runs.map((results, index) => ({
      conditions: conditionsOf(index + 1, 4),
      seconds: 1,
      code: index === runs.length - 1 ? code : 0,
      lines: results.map((text) => line(...(text.split(' ') as [string, string]))),
    }));
    const objections = compareRuns(recorded);
    assert.equal(objections.length, want.length, objections.join('\n'));
    for (const [index, expression] of want.entries())
      assert.match(objections[index] ?? '', expression);
  });
}

test('half of the runs have a load, and clock, order, zone and locale vary', () => {
  const all = Array.from({ length: 20 }, (_, index) => conditionsOf(index + 1, 4));
  assert.equal(all.filter(({ load }) => load === 4).length, 10);
  assert.ok(all.some(({ load, clock }) => load === 4 && clock === 'ahead'));
  assert.ok(all.some(({ load, clock }) => load === 0 && clock === 'ahead'));
  for (const key of ['shuffle', 'timeZone', 'locale', 'clock'] as const) {
    assert.ok(new Set(all.map((conditions) => conditions[key])).size > 1, key);
  }
});

test('the clock of a process and its children is shifted, and its timers are not', async (t) => {
  if ((await findOrInstallClockLibrary()) === undefined) {
    return skipOrFail(t, 'the clock of a process cannot be moved; install libfaketime (Debian)');
  }
  const environment = clockEnvironment('+400d');
  const child = `const { execFileSync } = require('node:child_process');
    const inner = execFileSync(process.execPath, ['-p', 'Date.now()'], { encoding: 'utf8' });
    const start = process.hrtime.bigint();
    setTimeout(() => console.log(Date.now(), inner.trim(), process.hrtime.bigint() - start < 86_400_000_000_000n), 5);`;
  const { stdout } = spawnSync(process.execPath, ['-e', child], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  const [own = '', inner = '', steady = ''] = stdout.trim().split(' ');
  const days = (text: string): number => Math.round((Number(text) - Date.now()) / 86_400_000);
  assert.deepEqual([days(own), days(inner), steady], [400, 400, 'true'], stdout);
});

async function writeTree(t: TestScope, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryDirectory(t);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

test('a file that uses a real program, directly or through an import, gets the true time', async (t) => {
  const folder = await writeTree(t, {
    'test/harness/index.ts': 'export { anyKubectl } from "./kubectl.ts";',
    'a.test.ts': "import { eventually } from './test/harness/index.ts';",
    'b.test.ts': "import { anyKubectl } from './test/harness/index.ts';",
    'c.test.ts': "import { suite } from './suite.ts';",
    'suite.ts': "import { requirePeer } from './peers.ts';",
  });
  const found = ['a', 'b', 'c'].map((name) => usesRealPrograms(folder, `${name}.test.ts`));
  assert.deepEqual(found, [false, true, true]);
});

test('busy loops end when they are disposed of, and with their parent', async () => {
  const script = `import { busyLoops } from ${JSON.stringify(join(import.meta.dirname, 'test-conditions.ts'))};
    process.stdout.write(busyLoops(2).pids.join(' '), () => process.kill(process.pid, 'SIGKILL'));`;
  const { stdout } = spawnSync(
    process.execPath,
    [...sourceFlags(), '--input-type=module-typescript', '-e', script],
    { encoding: 'utf8' },
  );
  const loops = busyLoops(1);
  const pids = [...stdout.split(' ').map(Number), ...loops.pids];
  assert.equal(pids.length, 3, stdout);
  assert.ok(pids.every(isAlive));
  loops[Symbol.dispose]();
  await eventually('no loop runs', () => !pids.some(isAlive));
});

test('a truncated line of results is ignored', () => {
  assert.deepEqual(parseResultLines(`${JSON.stringify(line('t', 'passed'))}\n{"file":"a`), [
    line('t', 'passed'),
  ]);
});

test('the report of a full run has counts and the reasons of failures and skips', () => {
  const text = reportText('0123456789ab', [
    line('', 'passed'),
    line('t', 'passed'),
    line('u', 'failed'),
  ]);
  assert.match(text, /tree 0123456789ab/);
  assert.match(text, /1 files: 1 passed, 1 failed/);
  assert.match(text, /- a\.test\.ts: u\n\n {2}Error: why/);
});

const SMALL = 'test/tidy/rules.test.ts';

test('an interrupted full run resumes and writes its report', async (t) => {
  const cache = await temporaryDirectory(t);
  const report = join(cache, 'report.md');
  const run = () =>
    spawnSync(
      process.execPath,
      [...sourceFlags(), 'scripts/test-full.ts', SMALL, '--report', report],
      {
        cwd: root,
        env: { ...process.env, TRIBUTARY_CACHE_DIR: cache },
        encoding: 'utf8',
      },
    );
  const first = run();
  assert.match(first.stdout, /=== full: 1 files to run, 0 already done/, first.stderr);
  assert.match(await readFile(report, 'utf8'), /1 files: \d+ passed, 0 failed/);
  const second = run();
  assert.match(second.stdout, /=== full: 0 files to run, 1 already done/);
  assert.equal(first.stdout.trim().split('\n').at(-1), second.stdout.trim().split('\n').at(-1));
  assert.deepEqual([first.status, second.status], [0, 0]);
});

test('steady runs are recorded outside of the clone and not repeated', async (t) => {
  const cache = await temporaryDirectory(t);
  const run = (runs: string) =>
    spawnSync(
      process.execPath,
      [...sourceFlags(), 'scripts/test-steady.ts', '--runs', runs, '--load', '1', SMALL],
      { cwd: root, env: { ...process.env, TRIBUTARY_CACHE_DIR: cache }, encoding: 'utf8' },
    );
  const first = run('1');
  assert.match(first.stdout, /run 1 of 1: .* exit code 0, \d\d+ results, 0 failed/, first.stderr);
  const second = run('2');
  assert.match(second.stdout, /run 1 of 2: .*\(recorded\)\nrun 2 of 2: /);
  assert.match(second.stdout, /2 runs of npm run -s test -- \S+: the same every time/);
});
