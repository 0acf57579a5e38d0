/** Our wardle server, which lets a core decide. */
import { join } from 'node:path';
import {
  httpsRequest,
  type KeyPair,
  type RequestOptions,
  type Response,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
  writeKubeconfig,
  writePki,
} from '../../test/harness/index.ts';
import { createPki } from '../../test/harness/pki.ts';
import type { DelegationCore } from './core.ts';

export interface DelegatingWardle {
  readonly url: string;
  readonly process: StartedProcess;
  ask(path: string, options?: RequestOptions): Promise<Response>;
}

const root = join(import.meta.dirname, '..', '..');
const LISTENING = /is listening at (https:\S+)/;

export async function startDelegatingWardle(
  scope: TestScope,
  options: {
    readonly core: Pick<DelegationCore, 'url' | 'ca'>;
    /** How it comes to the core. */
    readonly as: KeyPair;
    readonly flags?: readonly string[];
  },
): Promise<DelegatingWardle> {
  const { core, as, flags = [] } = options;
  const directory = await temporaryDirectory(scope, 'delegating-wardle-');
  // Its serving certificate is of no authority that the core has.
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const kubeconfig = await writeKubeconfig(scope, { server: core.url, ca: core.ca, user: as });
  const started = await startProcess(scope, {
    name: 'wardle',
    command: process.execPath,
    args: [
      join(root, 'samples', 'wardle', 'bin', 'wardle-apiserver.js'),
      '--secure-port=0',
      `--data-dir=${join(directory, 'data')}`,
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      ...flags,
    ],
  });
  const [, url = ''] = await started.waitForLog(LISTENING);
  return {
    url,
    process: started,
    ask: (path, more = {}) => httpsRequest(url + path, { ca: pki.ca.cert, ...more }),
  };
}
