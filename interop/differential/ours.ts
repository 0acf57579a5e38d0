/** Our wardle server, alone, as a target. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createPki,
  logShows,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writePki,
} from '../../test/harness/index.ts';
import { strangers } from './strangers.ts';
import { httpsTarget, type Target } from './target.ts';

const root = join(import.meta.dirname, '..', '..');
const READY = /is ready at (https:\S+)/;

export async function startOurs(scope: TestScope): Promise<Target> {
  const directory = await temporaryDirectory(scope, 'wardle-');
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const started = await startProcess(scope, {
    name: 'wardle',
    command: process.execPath,
    args: [
      join(root, 'samples', 'wardle', 'bin', 'wardle-apiserver.js'),
      '--secure-port=0',
      `--data-dir=${join(directory, 'data')}`,
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
    ],
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  return httpsTarget({
    name: 'wardle',
    version: ownVersion(),
    url,
    ca: pki.ca.cert,
    credentials: { admin: pki.admin, ...(await strangers()) },
    // Alone it has no namespaces: every name is one.
    prepareNamespace: async () => undefined,
  });
}

export function ownVersion(): string {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  return `v${(JSON.parse(text) as { version: string }).version}`;
}
