import type { Namespace } from '@tributary/api/core-v1';
import {
  type ControllerDependencies,
  isWriteConflict,
  namespaces,
} from '@tributary/client/controller';

const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const CHECK_MS = 60_000;

/** Creates the system namespaces. */
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

/** Creates deleted system namespaces again. */
export function runSystemNamespaces(dependencies: ControllerDependencies): void {
  const { clock, log, signal } = dependencies;
  const check = async () => {
    try {
      await ensureSystemNamespaces(dependencies);
    } catch (error) {
      if (!signal.aborted) log.error(error, 'Ensuring system namespaces failed');
    }
    if (!signal.aborted) cancel = clock.schedule(CHECK_MS, () => void check());
  };
  let cancel = clock.schedule(CHECK_MS, () => void check());
  signal.addEventListener('abort', () => cancel(), { once: true });
}
