/** The real kube-apiserver as a target, with the real sample-apiserver behind its aggregator. */
import { type TestScope, temporaryDirectory } from '../../test/harness/index.ts';
import { writeTokenFile } from '../core/credentials.ts';
import { controlPlaneTarget } from '../core/target.ts';
import type { Target } from '../differential/target.ts';
import { startReferenceStack } from '../stack.ts';
import { registerBackends, startBackends } from './backends.ts';
import { withSteadyResponses } from './steady-responses.ts';

export async function startAggregatorReference(scope: TestScope): Promise<Target> {
  const directory = await temporaryDirectory(scope, 'aggregator-reference-');
  const stack = await startReferenceStack({
    scope,
    aggregate: true,
    kubeApiserverFlags: [`--token-auth-file=${await writeTokenFile(directory)}`],
  });
  const { pki } = stack;
  const { url } = stack.kubeApiserver;
  const backends = await startBackends(scope, pki);
  await registerBackends({ url, pki }, backends);
  const version = stack.versions.kubeApiserver;
  const target = await controlPlaneTarget({ name: 'kube-apiserver', version, url, pki });
  return withSteadyResponses(target, { backends, ca: pki.ca.cert });
}
