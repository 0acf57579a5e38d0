import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestScope, temporaryDirectory } from '../../test/harness/index.ts';
import type { DelegationCore } from '../delegation/core.ts';
import { delegationSuite } from '../delegation/suite.ts';
import { startReferenceStack } from '../stack.ts';

const TOKEN = 'a-token-of-alice';

delegationSuite('the original kube-apiserver', startOriginal);

async function startOriginal(scope: TestScope): Promise<DelegationCore> {
  const tokens = join(await temporaryDirectory(scope, 'tokens-'), 'tokens.csv');
  await writeFile(tokens, `${TOKEN},alice,1\n`, { mode: 0o600 });
  const { kubeApiserver, pki } = await startReferenceStack({
    scope,
    kubeApiserverFlags: [`--token-auth-file=${tokens}`],
  });
  return {
    url: kubeApiserver.url,
    ca: kubeApiserver.ca,
    admin: kubeApiserver.admin,
    aliceToken: TOKEN,
    userCertificate: async (commonName) => pki.client({ commonName }),
    proxyCertificate: async (commonName) => pki.frontProxyCa.issue({ commonName, usage: 'client' }),
  };
}
