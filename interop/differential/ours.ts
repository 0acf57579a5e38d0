/** Our wardle server as a target; its namespaces are those of our control plane, as the original's are of another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createPki,
  httpsRequest,
  logShows,
  type PkiFiles,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
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
  const core = await startCore(scope, directory, files);
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
      `--data-dir=${join(directory, 'data')}`,
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
      `--kubeconfig=${kubeconfig}`,
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
    prepareNamespace: async (name) => {
      const body = { metadata: { name } };
      const to = `${core}/api/v1/namespaces`;
      const answer = await httpsRequest(to, {
        method: 'POST',
        ca: pki.ca.cert,
        ...pki.admin,
        body,
      });
      if (answer.status !== 201 && answer.status !== 409) throw new Error(answer.body);
    },
  });
}

/** A control plane that knows the same users; nobody looks at anything of it but its namespaces. */
async function startCore(scope: TestScope, directory: string, files: PkiFiles): Promise<string> {
  const started = await startProcess(scope, {
    name: 'tributary up',
    command: process.execPath,
    args: [
      join(root, 'packages', 'cli', 'bin', 'tributary.js'),
      'up',
      '--secure-port=0',
      '--storage=memory',
      `--data-dir=${join(directory, 'core')}`,
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
    ],
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  return url;
}

export function ownVersion(): string {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  return `v${(JSON.parse(text) as { version: string }).version}`;
}
