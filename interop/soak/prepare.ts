/** Everything that takes part in a soak, before anything happens. */
import { withClient } from '../../test/faults/namespace-run.ts';
import { NAMESPACES } from '../../test/faults/writer.ts';
import { SeededRandom, type TestScope } from '../../test/harness/index.ts';
import { type Followers, startFollowers } from './followers.ts';
import { createNamespaceChurn, type NamespaceChurn } from './namespace-churn.ts';
import { createOwnerChurn, OWNERS_NAMESPACE, type OwnerChurn } from './owner-churn.ts';
import {
  createNamespace,
  registerWardle,
  type Site,
  type SiteOptions,
  startOriginalControllers,
} from './site.ts';

export interface Participants {
  readonly churn: NamespaceChurn;
  readonly owners: OwnerChurn;
  readonly followers: Followers;
  /** Settles when the watchers have ended, after the signal. */
  readonly watching: Promise<unknown>;
  /** Rejects when a process has ended that was not killed. */
  readonly died: Promise<never>;
}

/**
 * Informers start while no client writes, so that they see all later changes. The gateway does not run yet: the run
 * starts it.
 */
export async function prepare(
  scope: TestScope,
  site: Site,
  parts: { controllers: SiteOptions['controllers']; random: SeededRandom; signal: AbortSignal },
): Promise<Participants> {
  const { controllers, random, signal } = parts;
  await site.gateway.start();
  await site.wardle.start();
  await registerWardle(site);
  await withClient(site.gateway, 'preparing', async (client) => {
    for (const name of [...NAMESPACES, OWNERS_NAMESPACE]) await createNamespace(client, name);
  });
  const own = () => new SeededRandom(random.int(0, 2 ** 31));
  const churn = createNamespaceChurn(site.gateway, own());
  const owners = createOwnerChurn(site.gateway, own());
  const followers = await startFollowers(scope, site, signal);
  const { done } = await churn.follow(signal);
  const dying = [site.wardle.died, ...(await controllerManager(scope, site, controllers))];
  await site.gateway.stop();
  return {
    churn,
    owners,
    followers,
    watching: Promise.all([done, followers.done]),
    died: Promise.race(dying),
  };
}

/** None, or the promise that rejects when it ends before the test does. */
async function controllerManager(
  scope: TestScope,
  site: Site,
  controllers: SiteOptions['controllers'],
): Promise<Promise<never>[]> {
  if (controllers === 'own') return [];
  const manager = await startOriginalControllers(scope, site, OWNERS_NAMESPACE);
  const ended = manager.exited.then(({ code, signal }) => {
    throw new Error(`kube-controller-manager ended (${code ?? signal}):\n${manager.log()}`);
  });
  ended.catch(() => undefined); // Only for those who want to know.
  return [ended];
}
