/** A stand-alone aggregator in front of the original. */
import { test } from 'node:test';
import { type Gateway, programAt } from '../../test/aggregator/gateway-program.ts';
import { standaloneSuite } from '../../test/aggregator/standalone-suite.ts';
import { requireProgram, type StartedProcess } from '../../test/harness/index.ts';
import { startReferenceStack } from '../stack.ts';

test('an aggregator of one user in front of kube-apiserver', async (t) => {
  if ((await requireProgram(t, 'go')) === undefined) return;
  await using stack = await startReferenceStack({ scope: t });
  const { url, ca, admin, adminKubeconfig } = stack.kubeApiserver;
  const program = programAt(url, {} as StartedProcess, { ca, ...admin }); // only the stack stops it
  const cluster: Gateway = { ...program, kubeconfig: adminKubeconfig };
  await standaloneSuite(t, {
    cluster,
    configMaps: [], // no controller runs
  });
});
