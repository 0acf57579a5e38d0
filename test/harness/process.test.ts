import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually } from './eventually.ts';
import { startProcess } from './process.ts';
import { groupMembers } from './process-group.ts';
import { logShows } from './ready.ts';
import { createScope } from './scope.ts';
import { temporaryDirectory } from './temporary.ts';

function shell(script: string): { command: string; args: string[] } {
  return { command: '/bin/sh', args: ['-c', script] };
}

const grandchild = 'sleep 300 & echo "grandchild $!"; wait';

test('a process is ready when its check succeeds', async (t) => {
  const started = await startProcess(t, {
    ...shell('sleep 0.2; echo listening; exec sleep 300'),
    ready: logShows(/listening/),
  });
  assert.match(started.log(), /listening/);
});

test('a process that dies early shows its log', async (t) => {
  const start = startProcess(t, {
    ...shell('echo "no such flag: --x" >&2; exit 3'),
    name: 'server',
    ready: () => false,
  });
  await assert.rejects(start, /server ended early with code 3[\s\S]*no such flag: --x/);
});

test('a process that never becomes ready is ended, and the error has its log and the last reason', async (t) => {
  await using scope = createScope('unready');
  const marker = join(await temporaryDirectory(t), 'marker');
  const start = startProcess(scope, {
    ...shell(`echo "pid $$"; sleep 300 & echo "grandchild $!"; echo > ${marker}; wait`),
    name: 'server',
    ready: async () => {
      await eventually('it has written everything', () => existsSync(marker));
      throw new Error('connection refused');
    },
    readyTimeoutMs: 300,
  });
  const error = await start.then(
    () => assert.fail('it must not become ready'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  assert.match(error.message, /not ready after 300 ms: connection refused[\s\S]*grandchild/);
  const pid = Number(/pid (\d+)/.exec(error.message)?.[1]);
  assert.deepEqual(groupMembers(pid), []);
});

test('a program that does not exist is an error with its name', async (t) => {
  const start = startProcess(t, { command: '/does/not/exist', name: 'ghost' });
  await assert.rejects(start, /ghost could not be started.*ENOENT/);
});

test('stop ends grandchildren', async (t) => {
  const started = await startProcess(t, { ...shell(grandchild), ready: logShows(/grandchild/) });
  assert.equal(groupMembers(started.pid).length, 2);
  await started.stop();
  assert.deepEqual(groupMembers(started.pid), []);
});

test('stop ends grandchildren that outlived their parent', async (t) => {
  const started = await startProcess(t, {
    ...shell('sleep 300 & echo started; exit 0'),
    ready: async ({ log }) => log.includes('started'),
  }).catch((error: Error) => error);
  // The shell may have ended before the log is read first: both orders have the same result.
  if (started instanceof Error) return assert.match(started.message, /ended early with code 0/);
  await started.exited;
  assert.equal(groupMembers(started.pid).length, 1);
  await started.stop();
  assert.deepEqual(groupMembers(started.pid), []);
});

test('a process that ignores SIGTERM is killed after the grace', async (t) => {
  const started = await startProcess(t, {
    ...shell('trap "" TERM; echo ready; while :; do sleep 0.1; done'),
    ready: logShows(/ready/),
    graceMs: 200,
  });
  assert.deepEqual(await started.stop(), { code: null, signal: 'SIGKILL' });
});

test('a process that ends itself on SIGTERM keeps its exit code', async (t) => {
  const started = await startProcess(t, {
    ...shell('trap "exit 7" TERM; echo ready; while :; do sleep 0.05; done'),
    ready: logShows(/ready/),
  });
  assert.deepEqual(await started.stop(), { code: 7, signal: null });
  assert.deepEqual(await started.stop(), { code: 7, signal: null }, 'stopping twice is harmless');
});

test('exited resolves after kill -9', async (t) => {
  const started = await startProcess(t, shell('exec sleep 300'));
  started.kill('SIGKILL');
  assert.deepEqual(await started.exited, { code: null, signal: 'SIGKILL' });
});

test('waitForLog returns the match, also of the last output', async (t) => {
  const started = await startProcess(t, shell('sleep 0.1; echo "port=1234"'));
  const match = await started.waitForLog(/port=(\d+)/);
  assert.equal(match[1], '1234');
  await assert.rejects(started.waitForLog(/never/), /ended early/);
});

test('waitForLog rejects at its timeout', async (t) => {
  const started = await startProcess(t, shell('echo hello; exec sleep 300'));
  await started.waitForLog(/hello/);
  await assert.rejects(started.waitForLog(/never/, 100), /did not write \/never\/[\s\S]*hello/);
});

test('the environment is that of this process and the options', async (t) => {
  const started = await startProcess(t, {
    ...shell('echo "A=$A HOME=$HOME CONTEXT=$NODE_TEST_CONTEXT"'),
    env: { A: '1', HOME: undefined },
  });
  const [line] = await started.waitForLog(/A=.*/);
  assert.equal(line, 'A=1 HOME= CONTEXT=');
});

test('a disposed process has ended', async () => {
  await using scope = createScope('dispose');
  let pid = 0;
  {
    await using started = await startProcess(scope, shell('exec sleep 300'));
    pid = started.pid;
  }
  assert.deepEqual(groupMembers(pid), []);
});

test('a test that fails shows the log of its process, a test that passes does not', async (t) => {
  const output = await runFixture(
    t,
    `
    test('fails', async (t) => {
      await startProcess(t, { command: 'sh', args: ['-c', 'echo from-failed; exec sleep 300'], ready: logShows(/from/) });
      throw new Error('on purpose');
    });
    test('fails in a subtest', async (t) => {
      await startProcess(t, { command: 'sh', args: ['-c', 'echo from-parent; exec sleep 300'], ready: logShows(/from/) });
      await t.test('child', () => { throw new Error('on purpose'); });
    });
    describe('a suite', () => {
      const scope = suiteScope('suite');
      before(() => startProcess(scope, { command: 'sh', args: ['-c', 'echo from-suite; exec sleep 300'], ready: logShows(/from/) }));
      test('fails', () => { throw new Error('on purpose'); });
    });
    describe('a good suite', () => {
      const scope = suiteScope('suite');
      before(() => startProcess(scope, { command: 'sh', args: ['-c', 'echo from-passed; exec sleep 300'], ready: logShows(/from/) }));
      test('passes', () => {});
    });
    test('passes', async (t) => {
      await startProcess(t, { command: 'sh', args: ['-c', 'echo from-passed; exec sleep 300'], ready: logShows(/from/) });
    });`,
  );
  assert.match(output, /\| from-failed/);
  assert.match(output, /\| from-parent/);
  assert.match(output, /\| from-suite/);
  assert.doesNotMatch(output, /from-passed/);
});

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`a test process that ends by ${signal} ends its processes`, async (t) => {
    const output = await runFixture(
      t,
      `
      test('is interrupted', async (t) => {
        const started = await startProcess(t, { command: 'sh', args: ['-c', ${JSON.stringify(grandchild)}], ready: logShows(/grandchild/) });
        process.stderr.write('group ' + started.pid + '\\n');
        process.kill(process.pid, '${signal}');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      });`,
    );
    const group = Number(/group (\d+)/.exec(output)?.[1]);
    assert.ok(group > 0, output);
    await eventually(
      () => `members left: ${groupMembers(group)}`,
      () => groupMembers(group).length === 0,
    );
    if (signal === 'SIGTERM') assert.match(output, /\| grandchild \d+/, 'the log is shown');
  });
}

/** Runs tests in a process of their own, where they may fail. */
async function runFixture(
  t: Parameters<typeof temporaryDirectory>[0],
  body: string,
): Promise<string> {
  const file = join(await temporaryDirectory(t), 'fixture.mjs');
  const harness = (name: string): string =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, name)).href);
  const imports = [
    `import { before, describe, test } from 'node:test';`,
    `import { suiteScope } from ${harness('scope.ts')};`,
    `import { startProcess } from ${harness('process.ts')};`,
    `import { logShows } from ${harness('ready.ts')};`,
  ];
  await writeFile(file, `${imports.join('\n')}\n${body}\n`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, file], {
    env,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return stdout + stderr;
}
