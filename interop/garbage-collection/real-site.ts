/** The original: kube-apiserver with sample-apiserver behind it, and the collector of kube-controller-manager. */
import { coreKinds, customKinds, wardleKinds } from '../../test/garbage-collection/kinds.ts';
import { defineCustomKinds, type GraphSite } from '../../test/garbage-collection/run-graph.ts';
import type { TestScope } from '../../test/harness/index.ts';
import { keepConnection } from '../core/reused-connection.ts';
import { startControllerManager } from '../peers/start-controller-manager.ts';
import { startReferenceStack } from '../stack.ts';

export async function startRealSite(scope: TestScope): Promise<GraphSite> {
  const { kubeApiserver } = await startReferenceStack({ scope, aggregate: true });
  const { url, ca, admin, adminKubeconfig: kubeconfig } = kubeApiserver;
  const exchange = keepConnection({ url, ca, credential: admin });
  const site: GraphSite = {
    kinds: [...coreKinds, ...customKinds, ...wardleKinds],
    async send(method, path, body, contentType = 'application/json') {
      const response = await exchange({
        method,
        url: path,
        headers: body === undefined ? {} : { 'content-type': contentType },
        body: body === undefined ? undefined : JSON.stringify(body),
        protocol: 'h2',
        as: 'admin',
      });
      return { status: response.status, body: parsed(response.body) };
    },
  };
  // Before its collector begins, which looks at what is served every half minute.
  await defineCustomKinds(site);
  await startControllerManager(scope, {
    kubeconfig,
    controllers: ['garbage-collector-controller'],
  });
  return site;
}

/** Until a kind is served, the answer is plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
