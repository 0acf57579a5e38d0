/** `.ci/run` with stand-ins for its commands: the counts, and that it hides no failure. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type TestScope, temporaryDirectory } from './harness/index.ts';

const script = join(import.meta.dirname, '..', '.ci', 'run');

/** The shell code of each npm script; the others print a line and succeed. */
type Commands = Readonly<Record<string, string>>;

const green: Commands = {
  check: 'echo "check: 2 passed, 0 failed"',
  peers: 'echo built',
  test: 'echo "1 passed, 9 failed in a message"; echo "10 passed, 0 failed, 1 skipped"',
  'test:interop': 'echo "5 passed, 0 failed"',
};

async function runCi(
  t: TestScope,
  commands: Commands,
  programs: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  const folder = await temporaryDirectory(t);
  for (const [name, content] of Object.entries(programs)) {
    await writeFile(join(folder, name), content, { mode: 0o755 });
  }
  const arms = Object.entries({ ...green, ...commands }).map(
    ([name, body]) => `"run -s ${name}") ${body} ;;`,
  );
  const npm = ['#!/bin/sh', 'case "$*" in', ...arms, '*) echo "npm $*" ;;', 'esac'].join('\n');
  await writeFile(join(folder, 'npm'), `${npm}\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync(script, {
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, CI: undefined },
    encoding: 'utf8',
  });
  return { code: status ?? -1, output: stdout + stderr };
}

function closing(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

test('the counts of all steps are added', async (t) => {
  const { code, output } = await runCi(t, {});
  const verifications = output.match(/^npm run -s verify:/gm)?.length ?? 0;
  assert.equal(closing(output), `${2 + 1 + 10 + 5 + verifications} passed, 0 failed`, output);
  assert.equal(code, 0);
});

test('every verification of package.json runs', async (t) => {
  const { output } = await runCi(t, {});
  assert.match(output, /^npm run -s verify:conformance$/m);
});

const failures: readonly { name: string; commands: Commands; want: RegExp }[] = [
  {
    name: 'a failed test',
    commands: { test: 'echo "9 passed, 1 failed"; exit 1' },
    want: /passed, 1 failed$/,
  },
  {
    name: 'a failed check',
    commands: { check: 'echo "check: 1 passed, 1 failed"; exit 1' },
    want: /passed, 1 failed$/,
  },
  {
    name: 'a suite that crashes without output',
    commands: { test: 'exit 134' },
    want: /passed, 1 failed$/,
  },
  {
    name: 'a suite that claims success and fails',
    commands: { 'test:interop': 'echo "5 passed, 0 failed"; exit 1' },
    want: /passed, 1 failed$/,
  },
  { name: 'a broken build of the peers', commands: { peers: 'exit 1' }, want: /passed, 1 failed$/ },
  {
    name: 'a generated file that is out of date',
    commands: { 'verify:conformance': 'echo stale; exit 1' },
    want: /passed, 1 failed$/,
  },
  {
    name: 'several at once',
    commands: { check: 'exit 1', test: 'echo "0 passed, 7 failed"; exit 1' },
    want: /passed, 8 failed$/,
  },
];
for (const { name, commands, want } of failures) {
  test(`${name} fails the run, and the rest still runs`, async (t) => {
    const { code, output } = await runCi(t, commands);
    assert.match(closing(output), want, output);
    assert.equal(code, 1);
    assert.match(output, /=== verify:conformance/);
  });
}

test('failures are repeated at the very end', async (t) => {
  const { output } = await runCi(t, {
    check: 'exit 1',
    test: 'echo "FAILED a.test.ts: breaks"; echo "    why"; echo "0 passed, 1 failed"; exit 1',
  });
  const lines = output.trimEnd().split('\n').slice(-3, -1);
  assert.deepEqual(lines, ['FAILED types, lint, format: exit code 1', 'FAILED a.test.ts: breaks']);
});

test('without Go one loud line names the tests that did not run', async (t) => {
  const { code, output } = await runCi(t, { peers: 'exit 3' });
  assert.equal(output.match(/Go is missing/g)?.length, 1);
  assert.doesNotMatch(output, /against the real programs: \d+ s/);
  assert.match(closing(output), /passed, 0 failed$/);
  assert.equal(code, 0);
});

test('tests run as in CI', async (t) => {
  const { output } = await runCi(t, { test: 'echo "CI is $CI"; echo "1 passed, 0 failed"' });
  assert.match(output, /CI is true/);
});

test('an error of the script itself is a failure', async (t) => {
  const { code, output } = await runCi(t, {}, { node: '#!/bin/sh\nexit 1\n' });
  assert.match(closing(output), /passed, 1 failed$/, output);
  assert.equal(code, 1);
});
