import { isDeepStrictEqual } from 'node:util';
import type { ConfigMap } from '@tributary/api/core-v1';
import { StatusError } from '@tributary/apimachinery';
import {
  type ControllerDependencies,
  configMaps,
  ignoreNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';
import { mergedTrust, type Trust } from './published-trust.ts';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';
const CHECK_MS = 60_000;

/** Publishes the ConfigMap extension-apiserver-authentication. `resync` publishes changed certificates. */
export function runTrustPublisher(
  trust: () => Trust,
  dependencies: ControllerDependencies,
): { readonly done: Promise<void>; resync(): void } {
  const { clock, informers, signal } = dependencies;
  // Only this ConfigMap, because there may be many.
  const selector = `metadata.namespace=${NAMESPACE},metadata.name=${NAME}`;
  const informer = informers.of<ConfigMap>(configMaps, selector);
  const { queue, done } = keyedController(
    {
      name: 'cluster-authentication-info',
      retryMsMax: CHECK_MS,
      reconcile: async (key) => {
        await publishTrust(trust(), dependencies);
        queue.addAfter(key, CHECK_MS);
      },
    },
    { ...dependencies, clock },
  );
  const again = () => queue.add(NAME);
  const subscription = informer.addHandler({ onUpdate: again, onDelete: again });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  again();
  return { done, resync: again };
}

/** One attempt, which keeps the content of other servers. */
async function publishTrust(
  trust: Trust,
  { client, clock, signal }: Pick<ControllerDependencies, 'client' | 'clock' | 'signal'>,
): Promise<void> {
  const all = client.resource<ConfigMap>(configMaps).in(NAMESPACE);
  const live = await ignoreNotFound(all.get(NAME, { signal }));
  const data = mergedTrust(live?.data ?? {}, trust, clock.nowMs());
  try {
    if (live === undefined) {
      await all.create({ metadata: { name: NAME, namespace: NAMESPACE }, data }, { signal });
    } else if (!isDeepStrictEqual(live.data, data)) {
      await all.update({ ...live, data }, { signal });
    }
  } catch (error) {
    if (isTooLarge(error)) await all.delete(NAME, { signal });
    // The next attempt merges what the other server wrote.
    if (!isWriteConflict(error) || live === undefined) throw error;
    throw new Error('the ConfigMap was modified concurrently', {
      cause: error,
    });
  }
}

/** Too many old certificates of other servers; the ConfigMap is created again without them. */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.code === 413 || (error.reason === 'Invalid' && /Too long/.test(error.message));
}
