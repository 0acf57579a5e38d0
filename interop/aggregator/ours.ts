/** `tributary up` as a target, with our wardle server behind its aggregator, as the original has it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controllerNames } from '../../packages/core-server/src/controllers/start-controllers.ts';
import {
  createPki,
  httpsRequest,
  logShows,
  type Pki,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../../test/harness/index.ts';
import { writeTokenFile } from '../core/credentials.ts';
import { controlPlaneTarget } from '../core/target.ts';
import { ownVersion } from '../differential/ours.ts';
import type { Target } from '../differential/target.ts';
import { registerSample, SAMPLE_SERVER_NAME } from '../stack.ts';

const root = join(import.meta.dirname, '..', '..');
const READY = /is ready at (https:\S+)/;
const LISTENING = /is listening at (https:\S+)/;

/** Or why there is nothing to judge. */
export async function startOurAggregator(scope: TestScope): Promise<Target | { why: string }> {
  const directory = await temporaryDirectory(scope, 'aggregator-');
  const pki = createPki();
  const url = await startUp(scope, directory, pki);
  const access = { url, ca: pki.ca.cert, admin: pki.admin };
  const registrations = await httpsRequest(`${url}/apis/apiregistration.k8s.io/v1/apiservices`, {
    ca: pki.ca.cert,
    ...pki.admin,
  });
  if (registrations.status === 404) return { why: '"tributary up" has no aggregator yet' };
  const wardle = await startWardle(scope, { directory, pki, core: url });
  await registerSample(access, { url: wardle, ca: pki.ca.cert });
  return controlPlaneTarget({ name: 'tributary up', version: ownVersion(), url, pki });
}

async function startUp(scope: TestScope, directory: string, pki: Pki): Promise<string> {
  const files = await writePki(directory, pki);
  const started = await startProcess(scope, {
    name: 'tributary up',
    command: process.execPath,
    args: [
      join(root, 'packages', 'cli', 'bin', 'tributary.js'),
      'up',
      '--sample=none',
      // The original runs them in another program, which is not there.
      `--controllers=${controllerNames.map((name) => `-${name}`).join(',')}`,
      '--secure-port=0',
      `--data-dir=${join(directory, 'data')}`,
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
      `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
      '--requestheader-allowed-names=front-proxy-client',
      `--proxy-client-cert-file=${files.frontProxyClientCertFile}`,
      `--proxy-client-key-file=${files.frontProxyClientKeyFile}`,
      `--token-auth-file=${await writeTokenFile(directory)}`,
    ],
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  return url;
}

async function startWardle(
  scope: TestScope,
  { directory, pki, core }: { directory: string; pki: Pki; core: string },
): Promise<string> {
  const { cert, key } = pki.ca.issue({
    commonName: 'wardle',
    names: ['localhost', '127.0.0.1', SAMPLE_SERVER_NAME],
    usage: 'server',
  });
  const certFile = join(directory, 'wardle.crt');
  const keyFile = join(directory, 'wardle.key');
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  const kubeconfig = await writeKubeconfig(scope, {
    server: core,
    ca: pki.ca.cert,
    user: pki.admin,
  });
  const started = await startProcess(scope, {
    name: 'wardle',
    command: process.execPath,
    args: [
      join(root, 'samples', 'wardle', 'bin', 'wardle-apiserver.js'),
      '--secure-port=0',
      `--data-dir=${join(directory, 'wardle')}`,
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
    ],
    ready: logShows(LISTENING),
  });
  const [, url = ''] = await started.waitForLog(LISTENING);
  return url;
}
