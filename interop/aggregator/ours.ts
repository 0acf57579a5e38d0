/** `tributary up` as a target, with our wardle server behind its aggregator, as the original has it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controllerNames } from '../../packages/core-server/src/controllers/start-controllers.ts';
import {
  createPki,
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
import { registerBackends, startBackends } from './backends.ts';
import { withSteadyResponses } from './steady-responses.ts';

const root = join(import.meta.dirname, '..', '..');
const READY = /is ready at (https:\S+)/;
const LISTENING = /is listening at (https:\S+)/;

/** The parts of the control plane that a backend needs. */
interface Front {
  readonly url: string;
  readonly pki: Pki;
  readonly adminKubeconfig: string;
}

type StartSample = (
  scope: TestScope,
  front: Front,
) => Promise<{ readonly url: string; readonly ca: string }>;

/** With our sample server behind it, or another one. */
export async function startOurAggregator(
  scope: TestScope,
  startSample: StartSample = startWardle,
): Promise<Target> {
  const directory = await temporaryDirectory(scope, 'aggregator-');
  const pki = createPki();
  const url = await startUp(scope, directory, pki);
  const access = { url, ca: pki.ca.cert, admin: pki.admin };
  const adminKubeconfig = await writeKubeconfig(scope, {
    server: url,
    ca: pki.ca.cert,
    user: pki.admin,
  });
  await registerSample(access, await startSample(scope, { url, pki, adminKubeconfig }));
  const backends = await startBackends(scope, pki);
  await registerBackends({ url, pki }, backends);
  const version = ownVersion();
  const target = await controlPlaneTarget({ name: 'tributary up', version, url, pki });
  return withSteadyResponses(target, { backends, ca: pki.ca.cert });
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
  { pki, adminKubeconfig }: Front,
): Promise<{ url: string; ca: string }> {
  const directory = await temporaryDirectory(scope, 'wardle-');
  const { cert, key } = pki.ca.issue({
    commonName: 'wardle',
    names: ['localhost', '127.0.0.1', SAMPLE_SERVER_NAME],
    usage: 'server',
  });
  const certFile = join(directory, 'wardle.crt');
  const keyFile = join(directory, 'wardle.key');
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  const started = await startProcess(scope, {
    name: 'wardle',
    command: process.execPath,
    args: [
      join(root, 'samples', 'wardle', 'bin', 'wardle-apiserver.js'),
      '--secure-port=0',
      `--data-dir=${join(directory, 'wardle')}`,
      `--tls-cert-file=${certFile}`,
      `--tls-private-key-file=${keyFile}`,
      `--kubeconfig=${adminKubeconfig}`,
      `--authentication-kubeconfig=${adminKubeconfig}`,
      `--authorization-kubeconfig=${adminKubeconfig}`,
    ],
    ready: logShows(LISTENING),
  });
  const [, url = ''] = await started.waitForLog(LISTENING);
  return { url, ca: pki.ca.cert };
}
