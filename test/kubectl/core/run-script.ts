/** Runs a script with one release of kubectl and gives what it said, normalised. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eventually,
  type Kubectl,
  type TestScope,
  temporaryDirectory,
} from '../../harness/index.ts';
import { compareVersions } from '../../harness/kubectl.ts';
import { normalise, type Saying } from './normalise.ts';
import { fill, inputOf, type Script, type ScriptStep, wordsOf } from './script.ts';

export interface Player {
  kubectl: Kubectl;
  kubeconfig: string;
  namespace: string;
  /** Where it keeps discovery between scripts; beside the kubectl when absent. */
  cacheDir?: string | undefined;
}

/** Bounds one step: kubectl itself waits for ever where a server does not answer. */
const STEP_TIMEOUT_MS = 60_000;

export function namespaceOf(script: Script, { version }: Pick<Kubectl, 'version'>): string {
  return `${script.name}-${version.replaceAll('.', '-')}`;
}

/** The steps that this release knows, in order, with what it said at each. */
export async function* runScript(
  t: TestScope,
  script: Script,
  player: Player,
): AsyncGenerator<{ step: ScriptStep; said: Saying }> {
  const home = await temporaryDirectory(t, 'kubectl-');
  for (const [name, text] of Object.entries(script.files ?? {})) {
    await writeFile(join(home, name), fill(text, player.namespace));
  }
  for (const step of script.steps) {
    if (!isKnown(step, player.kubectl)) continue;
    if (step.inNextSecond) await untilNextSecond();
    yield { step, said: await runStep(step, { ...player, home }) };
  }
}

function isKnown({ since = '0' }: ScriptStep, { version }: Pick<Kubectl, 'version'>) {
  return compareVersions(version, since) >= 0;
}

async function untilNextSecond(): Promise<void> {
  const before = currentSecond();
  await eventually('the clock shows another second', () => currentSecond() !== before);
}

/** Of the clock that the servers read, too. */
function currentSecond(): number {
  return Math.floor(Date.now() / 1000);
}

async function runStep(step: ScriptStep, player: Player & { home: string }): Promise<Saying> {
  const { kubectl, kubeconfig, namespace, home, cacheDir } = player;
  const input = inputOf(step, namespace);
  const said = await kubectl.run(wordsOf(step, namespace), {
    kubeconfig,
    env: { ...(cacheDir !== undefined && { KUBECACHEDIR: cacheDir }), ...step.env },
    home,
    timeoutMs: STEP_TIMEOUT_MS,
    ...(input !== undefined && { input }),
  });
  const { keep, fieldsOnly, anyOrder } = step;
  return normalise(said, { namespace, keep, fieldsOnly, anyOrder });
}
