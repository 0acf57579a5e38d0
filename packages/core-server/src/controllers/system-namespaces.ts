import type { Namespace } from '@tributary/api/core-v1';
import {
  type ControllerDependencies,
  isWriteConflict,
  namespaces,
} from '@tributary/client/controller';

const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const CHECK_MS = 60_000;

/** Makes the namespaces that everybody relies on. */
export async function ensureSystemNamespaces({
  client,
  signal,
}: Pick<ControllerDependencies, 'client' | 'signal'>): Promise<void> {
  const all = client.resource<Namespace>(namespaces);
  const { items } = await all.listAll({ signal });
  const there = new Set(items.map(({ metadata }) => metadata.name));
  await Promise.all(
    systemNamespaces
      .filter((name) => !there.has(name))
      .map(async (name) => {
        try {
          const object = { metadata: { name }, spec: {}, status: {} };
          await all.create(object, { signal });
        } catch (error) {
          if (!isWriteConflict(error)) throw error;
        }
      }),
  );
}

/** Makes them again when somebody has deleted one. */
export function keepSystemNamespaces(dependencies: ControllerDependencies): void {
  const { clock, log, signal } = dependencies;
  const check = async () => {
    try {
      await ensureSystemNamespaces(dependencies);
    } catch (error) {
      if (!signal.aborted) log.error(error, 'The system namespaces could not be checked');
    }
    if (!signal.aborted) cancel = clock.schedule(CHECK_MS, () => void check());
  };
  let cancel = clock.schedule(CHECK_MS, () => void check());
  signal.addEventListener('abort', () => cancel(), { once: true });
}
