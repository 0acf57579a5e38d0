import type { Secret } from '@tributary/api/core-v1';
import { parseTime } from '@tributary/apimachinery';
import { type Client, type Clock, createInformer, type Informer } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
  secrets,
} from '@tributary/client/controller';

const NAMESPACE = 'kube-system';
const TYPE = 'bootstrap.kubernetes.io/token';

/** An informer of bootstrap token Secrets: authentication cannot wait for a read. */
export function bootstrapTokenSecrets(client: Client, clock: Clock): Informer<Secret> {
  return createInformer<Secret>({
    resource: client.resource<Secret>(secrets).in(NAMESPACE),
    fieldSelector: `type=${TYPE}`,
    clock,
  });
}

/** Deletes expired bootstrap token Secrets. */
export function runBootstrapTokenCleaner(
  informer: Informer<Secret>,
  dependencies: ControllerDependencies,
): Promise<void> {
  const { client, clock, signal } = dependencies;
  const { queue, done } = keyedController(
    {
      name: 'tokencleaner',
      reconcile: async (key) => {
        const secret = informer.store.get(key);
        const endMs = secret && expiryOf(secret);
        if (endMs === undefined) return;
        const leftMs = endMs - clock.nowMs();
        if (leftMs > 0) return queue.addAfter(key, leftMs);
        await remove(secret as Secret, client, signal);
      },
    },
    dependencies,
  );
  const add = ({ metadata }: Secret) => queue.add(`${metadata.namespace}/${metadata.name}`);
  const subscription = informer.addHandler({
    onAdd: add,
    onUpdate: (_old, secret) => add(secret),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return done;
}

/** Undefined without expiration; Secrets with an invalid one are kept. */
function expiryOf({ data = {} }: Secret): number | undefined {
  const text = Buffer.from(data.expiration ?? '', 'base64').toString('utf8');
  const parsed = parseTime(text);
  return parsed.ok ? parsed.milliseconds : undefined;
}

async function remove({ metadata }: Secret, client: Client, signal: AbortSignal): Promise<void> {
  const { name = '', uid, resourceVersion } = metadata;
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
  try {
    await client.resource<Secret>(secrets).in(NAMESPACE).delete(name, { preconditions, signal });
  } catch (error) {
    // The informer reports the other change.
    if (!isNotFound(error) && !isWriteConflict(error)) throw error;
  }
}
