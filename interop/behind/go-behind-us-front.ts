/** `tributary up` as a control plane in front of others' servers. */
import { join } from 'node:path';
import {
  createPki,
  logShows,
  runSource,
  startProcess,
  type TestScope,
  writeKubeconfig,
  writePki,
} from '../../test/harness/index.ts';
import type { Front } from './site.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const READY = /is ready at (https:\S+)/;

/** With its data in `.tributary` of the directory, and certificates that a test can issue more of. */
export async function startUp(scope: TestScope, directory: string): Promise<Front> {
  const pki = createPki();
  const files = await writePki(directory, pki);
  const started = await startProcess(scope, {
    name: 'tributary up',
    ...runSource(CLI, [
      'up',
      '--sample=none',
      '--secure-port=0',
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
      `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-uid-headers=X-Remote-Uid',
      `--proxy-client-cert-file=${files.frontProxyClientCertFile}`,
      `--proxy-client-key-file=${files.frontProxyClientKeyFile}`,
    ]),
    cwd: directory,
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  const { ca, admin } = pki;
  return {
    url,
    ca: ca.cert,
    admin,
    kubeconfig: await writeKubeconfig(scope, { server: url, ca: ca.cert, user: admin }),
    userCertificate: async ({ commonName, organizations = [] }) =>
      pki.client({ commonName, organizations }),
    proxyCertificate: async () => pki.frontProxyClient,
  };
}
