/** Helm and kubectl on one control plane, as one person uses them. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  type Kubectl,
  type KubectlRun,
  type TestScope,
  temporaryDirectory,
} from '../../test/harness/index.ts';
import { requirePeer } from '../peers/peers.ts';

export interface Desk {
  helm(args: readonly string[]): Promise<KubectlRun>;
  kubectl(args: readonly string[], input?: string): Promise<KubectlRun>;
}

/** More than Helm is told to wait. */
const TIMEOUT_MS = 90_000;

/** With a home of its own: both programs remember there what a server has. */
export async function openDesk(
  scope: TestScope,
  { kubeconfig, kubectl }: { kubeconfig: string; kubectl: Kubectl },
): Promise<Desk> {
  const home = await temporaryDirectory(scope, 'helm-');
  const command = requirePeer('helm');
  return {
    helm: (args) => run(command, { args, kubeconfig, home }),
    kubectl: (args, input = '') => kubectl.run(args, { kubeconfig, home, input }),
  };
}

async function run(
  command: string,
  { args, kubeconfig, home }: { args: readonly string[]; kubeconfig: string; home: string },
): Promise<KubectlRun> {
  const child = spawn(command, args, {
    cwd: import.meta.dirname,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: home,
      KUBECONFIG: kubeconfig,
      HELM_CACHE_HOME: join(home, 'cache'),
      HELM_CONFIG_HOME: join(home, 'config'),
      HELM_DATA_HOME: join(home, 'data'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  return { code, ...output };
}
