/** A control plane on SQLite that extension servers delegate to, which is killed and comes back at the same address. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DelegationCore } from '../../interop/delegation/core.ts';
import {
  createPki,
  freePort,
  type TestScope,
  temporaryDirectory,
  writePki,
} from '../harness/index.ts';
import { tributaryUp } from './core-program.ts';
import { Target } from './target.ts';

export interface KillableCore extends DelegationCore {
  readonly target: Target;
}

const ALICE_TOKEN = 'a-token-of-alice';

/** Not started yet; nobody answers at its address. */
export async function killableCore(scope: TestScope): Promise<KillableCore> {
  const directory = await temporaryDirectory(scope, 'tributary-core-');
  const pki = await createPki();
  const files = await writePki(directory, pki);
  const tokens = join(directory, 'tokens.csv');
  await writeFile(tokens, `${ALICE_TOKEN},alice,1\n`, { mode: 0o600 });
  const port = await freePort();
  const dataDir = join(directory, 'data');
  const program = tributaryUp(dataDir, {
    port,
    flags: [
      `--tls-cert-file=${files.serverCertFile}`,
      `--tls-private-key-file=${files.serverKeyFile}`,
      `--client-ca-file=${files.caFile}`,
      `--requestheader-client-ca-file=${files.frontProxyCaFile}`,
      '--requestheader-allowed-names=front-proxy-client',
      `--token-auth-file=${tokens}`,
    ],
  });
  const credentials = { ca: pki.ca.cert, ...pki.admin };
  return {
    target: await Target.create(scope, { dataDir, program, credentials }),
    url: `https://127.0.0.1:${port}`,
    ca: pki.ca.cert,
    admin: pki.admin,
    aliceToken: ALICE_TOKEN,
    userCertificate: async (commonName) => pki.client({ commonName }),
    proxyCertificate: async (commonName) => pki.frontProxyCa.issue({ commonName, usage: 'client' }),
  };
}
