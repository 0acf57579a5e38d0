/** The real kube-apiserver as a target, with the real sample-apiserver behind its aggregator. */
import { type TestScope, temporaryDirectory } from '../../test/harness/index.ts';
import { writeTokenFile } from '../core/credentials.ts';
import { controlPlaneTarget } from '../core/target.ts';
import type { Target } from '../differential/target.ts';
import { startReferenceStack } from '../stack.ts';

export async function startAggregatorReference(scope: TestScope): Promise<Target> {
  const directory = await temporaryDirectory(scope, 'aggregator-reference-');
  const stack = await startReferenceStack({
    scope,
    aggregate: true,
    kubeApiserverFlags: [`--token-auth-file=${await writeTokenFile(directory)}`],
  });
  return controlPlaneTarget({
    name: 'kube-apiserver',
    version: stack.versions.kubeApiserver,
    url: stack.kubeApiserver.url,
    pki: stack.pki,
  });
}
