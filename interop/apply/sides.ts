/** The servers that histories are sent to. */
import { openMemoryStorage } from '@tributary/storage';
import { type ApiDefinition, createServer } from '../../packages/server/src/index.ts';
import { eventually, type Pki, type TestScope } from '../../test/harness/index.ts';
import type { ServerAccess } from '../stack.ts';
import { crdName, customResourceDefinition, GROUP } from './mixture.ts';
import { httpsSide, type Side } from './side.ts';

const CRD_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ESTABLISHED = { withinMs: 60_000, everyMs: 50 };

/** A server of ours, in this process. */
export async function startOurSide(
  scope: Pick<TestScope, 'after'>,
  api: ApiDefinition,
  pki: Pki,
): Promise<Side> {
  const storage = openMemoryStorage();
  const server = await createServer(api, {
    storage,
    serving: pki.server,
    clientCa: pki.ca.cert,
  }).listen();
  const side = httpsSide('ours', { url: server.url, ca: pki.ca.cert, admin: pki.admin });
  scope.after(async () => {
    side.close();
    await server.close();
    await storage.close();
  });
  return side;
}

export function referenceSide(scope: Pick<TestScope, 'after'>, access: ServerAccess): Side {
  const side = httpsSide('original', access);
  scope.after(async () => side.close());
  return side;
}

/** Makes the original serve mixtures, and waits until it does. */
export async function defineMixtures(side: Side): Promise<void> {
  const created = await side.send({
    method: 'POST',
    path: CRD_PATH,
    headers: { 'content-type': 'application/json' },
    body: customResourceDefinition,
  });
  if (created.code !== 201) throw new Error(`${crdName}: ${JSON.stringify(created.body)}`);
  for (const version of ['v1', 'v2']) {
    const path = `/apis/${GROUP}/${version}/namespaces/default/mixtures`;
    // The first requests after a CRD is established are answered with 404 for a moment.
    const isServed = async () => (await side.send({ method: 'GET', path })).code === 200;
    await eventually(`${path} is served`, isServed, ESTABLISHED);
  }
}
