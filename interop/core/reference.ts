/** The real kube-apiserver as a target. No controllers run beside it. */
import { type TestScope, temporaryDirectory } from '../../test/harness/index.ts';
import type { Target } from '../differential/target.ts';
import { startReferenceStack } from '../stack.ts';
import { writeTokenFile } from './credentials.ts';
import { controlPlaneTarget } from './target.ts';

export async function startCoreReference(scope: TestScope): Promise<Target> {
  const directory = await temporaryDirectory(scope, 'core-reference-');
  const stack = await startReferenceStack({
    scope,
    kubeApiserverFlags: [`--token-auth-file=${await writeTokenFile(directory)}`],
  });
  return controlPlaneTarget({
    name: 'kube-apiserver',
    version: stack.versions.kubeApiserver,
    url: stack.kubeApiserver.url,
    pki: stack.pki,
  });
}
