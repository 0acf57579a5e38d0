/** Our wardle server as a target; its namespaces are those of our control plane, as the original's are of another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createPki,
  logShows,
  type PkiFiles,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../../test/harness/index.ts';
import { keepConnection } from '../core/reused-connection.ts';
import { httpsTarget, type Target } from './target.ts';
import { unregisteredServers } from './unregistered-servers.ts';

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
  const ca = pki.ca.cert;
  const sendToCore = keepConnection({ url: core, ca, credential: pki.admin });
  const sendAsAdmin = keepConnection({ url, ca, credential: pki.admin });
  const target = httpsTarget({
    name: 'wardle',
    version: ownVersion(),
    url,
    ca,
    credentials: { admin: pki.admin, ...(await unregisteredServers()) },
    prepareNamespace: async (name) => {
      const { status, body } = await sendToCore({
        method: 'POST',
        url: '/api/v1/namespaces',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ metadata: { name } }),
        protocol: 'h2',
        as: 'admin',
      });
      if (status !== 201 && status !== 409) throw new Error(body);
    },
  });
  return {
    ...target,
    // Other users have connections of their own: those rows are about their identity.
    send: (call) =>
      call.as === 'admin' && call.protocol === 'h2' ? sendAsAdmin(call) : target.send(call),
  };
}

/** A control plane that knows the same users; only its namespaces are used. */
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
