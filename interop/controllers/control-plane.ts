/** `tributary up` without controllers of its own, a server behind its aggregator, and the original's controllers. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createFaultyWardle,
  type FaultyWardle,
  registerFaultyWardle,
} from '../../test/aggregator/fault-wardle.ts';
import { type Gateway, startGateway } from '../../test/aggregator/gateway-program.ts';
import type { StartedProcess, TestScope } from '../../test/harness/index.ts';
import { startControllerManager } from '../peers/start-controller-manager.ts';

export interface ControlPlane {
  readonly gateway: Gateway;
  /** Behind the aggregator, with both of its versions. */
  readonly wardle: FaultyWardle;
}

/** No controller empties namespaces, collects garbage or creates service accounts. */
export async function startWithoutControllers(
  scope: TestScope,
  flags: readonly string[] = [],
): Promise<ControlPlane> {
  const gateway = await startGateway(scope, [...(await guideFlags('npx tributary up')), ...flags]);
  const wardle = await createFaultyWardle(scope, gateway);
  await wardle.start();
  await registerFaultyWardle(gateway, wardle, ['v1alpha1', 'v1beta1']);
  return { gateway, wardle };
}

/** As the guide starts them: in place of ours. */
export async function startRealControllers(
  scope: TestScope,
  gateway: Gateway,
): Promise<StartedProcess> {
  const flags = (await guideFlags('kube-controller-manager')).map((flag) =>
    flag.replace('=.tributary/', `=${dirname(gateway.kubeconfig)}/`),
  );
  return startControllerManager(scope, {
    kubeconfig: gateway.kubeconfig,
    controllers: [],
    flags: [...flags, '-v=2'], // Says what the collector of garbage waits for.
  });
}

/** Where `tributary up` has its certificates and keys. */
export function pkiFile({ kubeconfig }: Gateway, name: string): string {
  return join(dirname(kubeconfig), 'pki', name);
}

const GUIDE = join(import.meta.dirname, '..', '..', 'docs', 'guides', 'control-plane.md');

/** Of the command in the guide's section about the real controllers. */
async function guideFlags(program: string): Promise<string[]> {
  const [, section = ''] = (await readFile(GUIDE, 'utf8')).split('## With the real controllers');
  const line = section.split('\n').find((candidate) => candidate.startsWith(`${program} --`));
  assert.ok(line, `the guide has no command ${program}`);
  return line.slice(program.length + 1).split(' ');
}
