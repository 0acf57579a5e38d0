/** `tributary up` as a target. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { controllerNames } from '../../packages/core-server/src/controllers/start-controllers.ts';
import {
  createPki,
  logShows,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writePki,
} from '../../test/harness/index.ts';
import { ownVersion } from '../differential/ours.ts';
import type { Target } from '../differential/target.ts';
import { writeTokenFile } from './credentials.ts';
import { controlPlaneTarget } from './target.ts';

const root = join(import.meta.dirname, '..', '..');
const program = join(root, 'packages', 'cli', 'bin', 'tributary.js');
const READY = /is ready at (https:\S+)/;
const HELP_MS_MAX = 30_000;

/** Why there is no program to judge, or nothing when there is one; a broken one is judged, and fails. */
export function whyNotOurs(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: HELP_MS_MAX };
    execFile(process.execPath, [program, '--help'], options, (error, stdout) => {
      const missing = error === null && !/^ +up\b/m.test(stdout);
      resolve(
        missing ? 'the control plane is not judged: there is no "tributary up" yet' : undefined,
      );
    });
  });
}

export async function startOurCore(scope: TestScope): Promise<Target> {
  const directory = await temporaryDirectory(scope, 'core-');
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const started = await startProcess(scope, {
    name: 'tributary up',
    command: process.execPath,
    args: [
      program,
      'up',
      '--sample=none',
      // The original runs them in another program, which is not there.
      `--controllers=${controllerNames.map((name) => `-${name}`).join(',')}`,
      '--allow-loopback-endpoints=false',
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
  return controlPlaneTarget({ name: 'tributary up', version: ownVersion(), url, pki });
}
