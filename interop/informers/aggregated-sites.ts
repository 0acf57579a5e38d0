/** A server behind two aggregators at once, ours and the original: its objects are followed through both, and directly. */
import { type TestScope, writeKubeconfig } from '../../test/harness/index.ts';
import { createNamespaces } from '../../test/informers/behind-up-site.ts';
import { type CuttingProxy, startCuttingProxy } from '../../test/informers/cutting-proxy.ts';
import { type OurProgram, startFront, startWardle } from '../../test/informers/our-programs.ts';
import type { Entrance, Site } from '../../test/informers/site.ts';
import type { PeerName } from '../peers/peers.ts';
import {
  type ReferenceStack,
  registerSample,
  type ServerAccess,
  startReferenceStack,
} from '../stack.ts';
import { peerVictim } from './peer-victim.ts';

/** Our wardle, which asks `tributary up` whom to believe. */
export async function startWardleSite(scope: TestScope): Promise<Site> {
  const { stack, front } = await startFronts(scope);
  const { ca, admin } = stack.pki;
  const frontKubeconfig = await writeKubeconfig(scope, {
    server: front.url,
    ca: ca.cert,
    user: admin,
  });
  const wardle = await startWardle(scope, { pki: stack.pki, frontKubeconfig });
  const entrance = wardle.entrance('directly');
  const links = await registerAtBoth(scope, { front, stack, entrance });
  return {
    entrances: [entrance, ...fronts(front, stack)],
    links,
    victims: [wardle.victim, front.victim, await victimOf(scope, stack, 'kube-apiserver')],
  };
}

/** The Go sample, which asks the original kube-apiserver whom to believe. */
export async function startSampleSite(scope: TestScope): Promise<Site> {
  const { stack, front } = await startFronts(scope);
  const entrance = entranceOf('directly', stack.sampleApiserver);
  const links = await registerAtBoth(scope, { front, stack, entrance });
  return {
    entrances: [entrance, ...fronts(front, stack)],
    links,
    startsAnonymous: true,
    victims: [
      await victimOf(scope, stack, 'sample-apiserver'),
      front.victim,
      await victimOf(scope, stack, 'kube-apiserver'),
    ],
  };
}

/** Both know the same users and come to servers behind them as the same front proxy. */
async function startFronts(
  scope: TestScope,
): Promise<{ stack: ReferenceStack; front: OurProgram }> {
  const stack = await startReferenceStack({ scope });
  const front = await startFront(scope, { pki: stack.pki });
  for (const access of [frontAccess(front, stack), stack.kubeApiserver]) {
    await createNamespaces(access);
  }
  return { stack, front };
}

/** Each front comes over a link of its own. */
async function registerAtBoth(
  scope: TestScope,
  parts: { front: OurProgram; stack: ReferenceStack; entrance: Entrance },
): Promise<CuttingProxy[]> {
  const { front, stack, entrance } = parts;
  const links: CuttingProxy[] = [];
  for (const access of [frontAccess(front, stack), stack.kubeApiserver]) {
    const link = await startCuttingProxy(scope, { backend: entrance.port });
    await registerSample(access, { url: link.url, ca: entrance.ca });
    links.push(link);
  }
  return links;
}

function fronts(front: OurProgram, stack: ReferenceStack): Entrance[] {
  return [
    front.entrance('through tributary up'),
    entranceOf('through kube-apiserver', stack.kubeApiserver),
  ];
}

function frontAccess({ url }: OurProgram, { pki }: ReferenceStack) {
  return { url, ca: pki.ca.cert, admin: pki.admin };
}

function entranceOf(name: string, { url, ca, admin }: ServerAccess): Entrance {
  const port = Number(new URL(url).port);
  return { name, ca, user: admin, port: () => port };
}

async function victimOf(scope: TestScope, stack: ReferenceStack, name: PeerName) {
  const access = name === 'kube-apiserver' ? stack.kubeApiserver : stack.sampleApiserver;
  const process = stack.processes.find((each) => each.name === name);
  if (process === undefined) throw new Error(`no ${name} runs`);
  return peerVictim(scope, { process, ...access });
}
