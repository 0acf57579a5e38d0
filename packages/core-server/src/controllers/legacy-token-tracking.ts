import type { ConfigMap } from '@tributary/api/core-v1';
import {
  type ControllerDependencies,
  configMaps,
  ignoreNotFound,
  isNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';

const NAMESPACE = 'kube-system';
const NAME = 'kube-apiserver-legacy-service-account-token-tracking';
const KEY = 'since';
/** Servers without tracking delete the ConfigMap: the pause prevents both from alternating. */
const CREATE_PAUSE_MS = 30 * 60_000;

/** Publishes the date since when the use of legacy tokens is recorded; earlier use is unknown. */
export function runLegacyTokenTracking(dependencies: ControllerDependencies): Promise<void> {
  const { informers, signal } = dependencies;
  const look = trackingDateCheck(dependencies);
  const { queue, done } = keyedController(
    {
      name: 'legacy-token-tracking',
      reconcile: async (key) => {
        const againMs = await look();
        if (againMs !== undefined) queue.addAfter(key, againMs);
      },
    },
    dependencies,
  );
  // Only this ConfigMap, because there may be many.
  const selector = `metadata.namespace=${NAMESPACE},metadata.name=${NAME}`;
  const again = () => queue.add(NAME);
  const subscription = informers
    .of<ConfigMap>(configMaps, selector)
    .addHandler({ onAdd: again, onUpdate: again, onDelete: again });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  again();
  return done;
}

/** Ensures a valid date. Returns the time to the next check, if it must wait. */
export function trackingDateCheck({
  client,
  clock,
  signal,
}: Pick<ControllerDependencies, 'client' | 'clock' | 'signal'>): () => Promise<number | undefined> {
  const all = client.resource<ConfigMap>(configMaps).in(NAMESPACE);
  let createFromMs = 0;
  const create = async (nowMs: number): Promise<number | undefined> => {
    if (nowMs < createFromMs) return createFromMs - nowMs;
    const metadata = { name: NAME, namespace: NAMESPACE };
    try {
      await all.create({ metadata, data: { [KEY]: dateOf(nowMs) } }, { signal });
    } catch (error) {
      if (!isWriteConflict(error)) throw error;
    }
    createFromMs = nowMs + CREATE_PAUSE_MS;
    return undefined;
  };
  return async () => {
    const nowMs = clock.nowMs();
    const live = await ignoreNotFound(all.get(NAME, { signal }));
    if (live === undefined) return create(nowMs);
    if (isDate(live.data?.[KEY] ?? '')) return undefined;
    try {
      await all.update({ ...live, data: { ...live.data, [KEY]: dateOf(nowMs) } }, { signal });
    } catch (error) {
      // The informer reports the other change.
      if (!isWriteConflict(error) && !isNotFound(error)) throw error;
    }
    return undefined;
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A valid calendar date; Date.parse accepts the 30th of February. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && dateOf(ms) === text;
}
