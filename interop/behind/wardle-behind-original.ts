/** Our wardle behind the real kube-apiserver, installed by what `tributary bootstrap` prints and nothing else. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { auditLog } from '../../test/aggregator/fault-audit.ts';
import {
  type Kubectl,
  runSource,
  type TestScope,
  temporaryDirectory,
} from '../../test/harness/index.ts';
import { startControllerManager } from '../peers/start-controller-manager.ts';
import { startReferenceStack } from '../stack.ts';
import { certificatesOf, untilAvailable } from './ask.ts';
import { startPod } from './pod.ts';
import { type Front, GROUP, type Site } from './site.ts';

const root = join(import.meta.dirname, '../..');
/** Where `bootstrap` puts it. */
export const PLACE = { namespace: 'wardle-system', name: 'wardle-apiserver' } as const;
const WARDLE = join(root, 'samples/wardle/src/main.ts');
const AVAILABLE_MS = 90_000;

/** The real control plane, with the controllers that these tests need and no others. */
export async function startOriginal(scope: TestScope): Promise<Front> {
  const { kubeApiserver, pki } = await startReferenceStack({
    scope,
    kubeApiserverFlags: [
      // There is no kube-proxy: endpoints are dialled themselves.
      '--enable-aggregator-routing=true',
      '--requestheader-uid-headers=X-Remote-Uid',
    ],
  });
  const { url, ca, admin, adminKubeconfig: kubeconfig } = kubeApiserver;
  await startControllerManager(scope, {
    kubeconfig,
    controllers: ['namespace-controller', 'clusterrole-aggregation-controller'],
  });
  return {
    url,
    ca,
    admin,
    kubeconfig,
    userCertificate: async ({ commonName, organizations = [] }) =>
      pki.client({ commonName, organizations }),
    proxyCertificate: async () => pki.frontProxyClient,
  };
}

export async function wardleBehindOriginal(scope: TestScope, kubectl: Kubectl): Promise<Site> {
  const front = await startOriginal(scope);
  const directory = await temporaryDirectory(scope, 'administrator-');
  const { command, args } = runSource(join(root, 'packages/cli/src/main.ts'), ['bootstrap', GROUP]);
  const { stdout: manifests } = await promisify(execFile)(command, args, { cwd: directory });
  const asAdmin = async (words: readonly string[], input = ''): Promise<void> => {
    const { kubeconfig } = front;
    const { code, stdout, stderr } = await kubectl.run(words, { kubeconfig, input });
    assert.equal(code, 0, `kubectl ${words.join(' ')}\n${stdout}${stderr}`);
  };
  await asAdmin(['create', '-f', '-'], manifests);
  const audit = await auditLog(scope);
  const pod = await startWardlePod(scope, { front, kubectl, flags: audit.flags });
  const site: Site = {
    front,
    service: PLACE,
    backend: {
      url: pod.url,
      directory,
      audit,
      publishCertificate: async () => {
        await asAdmin(['apply', '-f', join(certificatesOf(site), 'secret.yaml')]);
        await pod.refreshVolumes();
      },
      kill: pod.kill,
      start: pod.start,
    },
  };
  await untilAvailable(site, { status: 'True', withinMs: AVAILABLE_MS });
  return site;
}

/** The pod of the Deployment that the control plane has. */
export function startWardlePod(
  scope: TestScope,
  options: { front: Front; kubectl: Kubectl; flags?: readonly string[] },
): ReturnType<typeof startPod> {
  return startPod(scope, {
    ...options,
    place: PLACE,
    program: WARDLE,
    address: outsideAddress(),
  });
}

/** The original allows no endpoint on the loopback interface. */
function outsideAddress(): string {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  assert.ok(address, 'this machine has no address but the loopback one');
  return address;
}
