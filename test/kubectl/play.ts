/** Plays a scenario with one release of kubectl. */
import assert from 'node:assert/strict';
import {
  type Kubectl,
  type KubectlRun,
  type TestScope,
  temporaryDirectory,
} from '../harness/index.ts';
import { compareVersions } from '../harness/kubectl.ts';
import type { Difference, Expected, Flunder, Scenario, Stage, Step } from './scenario.ts';

export interface Cast {
  kubectl: Kubectl;
  kubeconfig: string;
  namespace: string;
  /** Where kubectl keeps discovery between scenarios; a scenario has its own when absent. */
  cacheDir?: string | undefined;
  /** Puts what a scenario begins with into the namespace, without kubectl. */
  provide(namespace: string, flunder: Flunder): Promise<void>;
}

/** Bounds one step: kubectl itself waits for ever where a server does not answer. */
const STEP_TIMEOUT_MS = 60_000;

export function knows(kubectl: Kubectl, { since }: Scenario): boolean {
  return since === undefined || isAtLeast(kubectl.version, since[0]);
}

/** A home lasts for a scenario, so that discovery is read once in each and no more. */
export async function play(t: TestScope, scenario: Scenario, cast: Cast): Promise<void> {
  for (const one of scenario.given ?? []) await cast.provide(cast.namespace, one);
  const home = await temporaryDirectory(t, 'kubectl-');
  const stage: Stage = {
    step: (step) => playStep(step, { ...cast, home }),
    start: (run) => {
      const { kubectl, kubeconfig } = cast;
      return kubectl.start(t, wordsOf(run, cast), { kubeconfig, home, env: cacheOf(cast) });
    },
  };
  for (const step of scenario.steps ?? []) await stage.step(step);
  await scenario.play?.(stage);
}

async function playStep(step: Step, cast: Cast & { home: string }): Promise<KubectlRun> {
  const { kubectl, kubeconfig, namespace, home } = cast;
  const args = wordsOf(step.run, cast);
  const { input, env = {} } = step;
  const text = typeof input === 'string' ? input : JSON.stringify(input ?? '');
  const result = await kubectl.run(args, {
    kubeconfig,
    env: { ...cacheOf(cast), ...env },
    home,
    timeoutMs: STEP_TIMEOUT_MS,
    ...(input !== undefined && { input: text.replaceAll('NAMESPACE', namespace) }),
  });
  const wanted = { ...step, ...step.differs?.find((one) => concerns(one, kubectl)) };
  const { code = 0, stdout, stderr = '' } = wanted;
  const shown = `kubectl ${args.join(' ')}\n${result.stdout}${result.stderr}`;
  assert.equal(result.code, code, `${shown}\nexits with ${result.code}, not ${code}`);
  expectText(result.stdout, stdout, { what: `${shown}\nits output`, namespace });
  expectText(result.stderr, stderr, { what: `${shown}\nits errors`, namespace });
  return result;
}

function cacheOf({ cacheDir }: Cast): Record<string, string> {
  return cacheDir === undefined ? {} : { KUBECACHEDIR: cacheDir };
}

function wordsOf(run: Step['run'], { namespace }: Cast): string[] {
  const words = typeof run === 'string' ? run.split(' ') : run;
  return [
    '--namespace',
    namespace,
    ...words.map((word) => word.replaceAll('NAMESPACE', namespace)),
  ];
}

function expectText(
  text: string,
  expected: Expected,
  { what, namespace }: { what: string; namespace: string },
): void {
  const fill = (template: string): string => template.replaceAll('NAMESPACE', namespace);
  if (typeof expected === 'string') {
    assert.equal(text.trimEnd(), fill(expected).trimEnd(), what);
    return;
  }
  for (const pattern of expected instanceof RegExp ? [expected] : expected) {
    assert.match(text, new RegExp(fill(pattern.source), pattern.flags), what);
  }
}

function concerns({ from, before }: Difference, { version }: Kubectl): boolean {
  return (
    (from === undefined || isAtLeast(version, from)) &&
    (before === undefined || !isAtLeast(version, before))
  );
}

function isAtLeast(version: string, minimum: string): boolean {
  return compareVersions(version, minimum) >= 0;
}
