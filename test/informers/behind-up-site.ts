/** Our sample server behind `tributary up`, asked directly and through it. */
import { registerSample } from '../../interop/stack.ts';
import {
  createPki,
  httpsRequest,
  type KeyPair,
  type TestScope,
  writeKubeconfig,
} from '../harness/index.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { type Replacement, startFront, startWardle } from './our-programs.ts';
import type { Site } from './site.ts';
import { NAMESPACES } from './writer.ts';

export async function startBehindUpSite(
  scope: TestScope,
  { replacement }: { replacement?: Replacement } = {},
): Promise<Site> {
  const pki = createPki();
  const front = await startFront(scope, { pki, ...(replacement && { replacement }) });
  const access = { url: front.url, ca: pki.ca.cert, admin: pki.admin };
  await createNamespaces(access);
  const frontKubeconfig = await writeKubeconfig(scope, {
    server: front.url,
    ca: pki.ca.cert,
    user: pki.admin,
  });
  const wardle = await startWardle(scope, { pki, frontKubeconfig });
  const entrance = wardle.entrance('directly');
  const link = await startCuttingProxy(scope, { backend: entrance.port });
  await registerSample(access, { url: link.url, ca: pki.ca.cert });
  return {
    entrances: [entrance, front.entrance('through tributary up')],
    victims: [wardle.victim, front.victim],
    links: [link],
  };
}

/** Those of the writers. */
export async function createNamespaces(front: {
  readonly url: string;
  readonly ca: string;
  readonly admin: KeyPair;
}): Promise<void> {
  const { url, ca, admin } = front;
  for (const name of NAMESPACES) {
    const options = { method: 'POST', body: { metadata: { name } }, ca, ...admin };
    const { status, body } = await httpsRequest(`${url}/api/v1/namespaces`, options);
    if (status !== 201) throw new Error(`the namespace ${name}: ${status} ${body}`);
  }
}
