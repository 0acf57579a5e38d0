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
import { mergedTrust, type Trust } from './cluster-authentication-info.ts';

const NAMESPACE = 'kube-system';
const NAME = 'extension-apiserver-authentication';
const CHECK_MS = 60_000;

/** Tells extension servers whom to believe. `again` after that has changed. */
export function runTrustPublisher(
  trust: () => Trust,
  dependencies: ControllerDependencies,
): { readonly done: Promise<void>; again(): void } {
  const { clock, informers, signal } = dependencies;
  // Only this one: ConfigMaps may be many.
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
  return { done, again };
}

/** One attempt; what is there of other servers stays. */
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
    // The next attempt sees what others wrote.
    if (!isWriteConflict(error) || live === undefined) throw error;
    throw new Error('the trust of extension servers was written by somebody else meanwhile', {
      cause: error,
    });
  }
}

/** Old certificates of many servers; without them it fits again. */
function isTooLarge(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return error.code === 413 || (error.reason === 'Invalid' && /Too long/.test(error.message));
}
