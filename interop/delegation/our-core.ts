/** Our control plane as a core, with certificates that a test can issue more of. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createPki,
  freePort,
  logShows,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writePki,
} from '../../test/harness/index.ts';
import type { DelegationCore } from './core.ts';

/** A core that can go away and come back. */
export interface UpCore extends DelegationCore {
  start(): Promise<void>;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..', '..');
const TOKEN = 'a-token-of-alice';
const READY = /is ready at (https:\S+)/;

/** Not started yet; its port is closed. */
export async function upCore(scope: TestScope): Promise<UpCore> {
  const directory = await temporaryDirectory(scope, 'up-');
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, `${TOKEN},alice,1\n`, { mode: 0o600 });
  const port = await freePort();
  let running: StartedProcess | undefined;
  return {
    url: `https://127.0.0.1:${port}`,
    ca: pki.ca.cert,
    admin: pki.admin,
    aliceToken: TOKEN,
    userCertificate: async (commonName) => pki.client({ commonName }),
    proxyCertificate: async (commonName) => pki.frontProxyCa.issue({ commonName, usage: 'client' }),
    start: async () => {
      running = await startProcess(scope, {
        name: 'tributary-up',
        command: process.execPath,
        args: [
          join(root, 'packages', 'cli', 'bin', 'tributary.js'),
          'up',
          `--secure-port=${port}`,
          `--data-dir=${join(directory, 'data')}`,
          `--tls-cert-file=${files.serverCertFile}`,
          `--tls-private-key-file=${files.serverKeyFile}`,
          `--client-ca-file=${files.caFile}`,
          `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
          '--requestheader-allowed-names=front-proxy-client',
          `--token-auth-file=${tokens}`,
        ],
        ready: logShows(READY),
      });
    },
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
  };
}
