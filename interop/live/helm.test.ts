/** Helm with charts of ours, on `tributary up` and on the original: the same words, the same objects. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  anyKubectl,
  eventually,
  type Kubectl,
  logShows,
  missingMessage,
  requireProgram,
  runSource,
  skipOrFail,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../../test/harness/index.ts';
import { type Desk, openDesk } from '../charts/helm.ts';
import { runSteps, steps } from '../charts/scenario.ts';
import { startReferenceStack } from '../stack.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const FLUNDERS = '/apis/wardle.example.com/v1alpha1/flunders';
const SERVED = { withinMs: 60_000, everyMs: 100 };
const WAIT = '6s';

test('Helm does the same as on the original, and leaves the same', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  const kubectl = await anyKubectl();
  if (kubectl === undefined) return skipOrFail(t, missingMessage('kubectl'));
  const desks = await Promise.all([openOurs(t, kubectl), openOriginal(t, kubectl)]);
  const [ours, original] = await Promise.all(desks.map(runSteps));
  assert.ok(ours && original);
  for (const [at, { name, code }] of steps.entries()) {
    await t.test(name, () => {
      assert.deepEqual(ours[at], original[at]);
      assert.equal(original[at]?.code, code, original[at]?.stderr);
    });
  }
  await t.test(
    'a Deployment that is not paused is waited for in vain: nobody makes pods',
    async () => {
      await Promise.all(desks.map(waitsInVain));
    },
  );
});

/** Helm looks for the ReplicaSet of a Deployment, and sees none until its time is over. */
async function waitsInVain(desk: Desk): Promise<void> {
  const run = await desk.helm([
    ...['install', 'running', './small', '-n', 'running', '--create-namespace'],
    ...['--set=paused=false', '--wait', `--timeout=${WAIT}`],
  ]);
  assert.equal(run.code, 1, run.stdout);
  assert.match(run.stderr, /context deadline exceeded|timed out/);
  const { code, stderr } = await desk.helm(['uninstall', 'running', '-n', 'running']);
  assert.equal(code, 0, stderr);
}

async function openOurs(t: TestScope, kubectl: Kubectl): Promise<Desk> {
  const directory = await temporaryDirectory(t);
  const flags = ['--sample=wardle', '--secure-port=0', '--storage=memory'];
  await startProcess(t, {
    name: 'tributary up',
    ...runSource(CLI, ['up', ...flags]),
    cwd: directory,
    ready: logShows(/is ready at https:/),
  });
  return untilServed(t, join(directory, '.tributary', 'admin.kubeconfig'), kubectl);
}

async function openOriginal(t: TestScope, kubectl: Kubectl): Promise<Desk> {
  const { kubeApiserver } = await startReferenceStack({ scope: t, aggregate: true });
  return untilServed(t, kubeApiserver.adminKubeconfig, kubectl);
}

async function untilServed(t: TestScope, kubeconfig: string, kubectl: Kubectl): Promise<Desk> {
  const desk = await openDesk(t, { kubeconfig, kubectl });
  let last = '';
  const isServed = async () => {
    const { code, stderr } = await desk.kubectl(['get', '--raw', FLUNDERS]);
    last = stderr;
    return code === 0;
  };
  await eventually(() => `flunders are served: ${last}`, isServed, SERVED);
  return desk;
}
