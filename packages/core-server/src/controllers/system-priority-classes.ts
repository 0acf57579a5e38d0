import type { PriorityClass } from '@tributary/api/scheduling-v1';
import {
  type ControllerDependencies,
  isWriteConflict,
  priorityClasses,
} from '@tributary/client/controller';
import { systemPriorities } from '../kinds/scheduling/priority-class/system-priorities.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'system-node-critical': 'For pods that a node cannot do without, and that must stay on it.',
  'system-cluster-critical': 'For pods that the cluster cannot do without, on whichever node.',
};
const AGAIN_MS = 1_000;
const ATTEMPTS_MAX = 30;

/**
 * Stores the classes that pods of the system are of. Upstream does so in a hook after the start, and gives up as late: who
 * names one of them is served meanwhile.
 */
export function writeSystemPriorityClasses(dependencies: ControllerDependencies): void {
  const { clock, log, signal } = dependencies;
  let cancel = () => {};
  const attempt = async (count: number) => {
    try {
      await ensureSystemPriorityClasses(dependencies);
    } catch (error) {
      if (signal.aborted) return;
      log.error(error, 'The priority classes of the system could not be written', { count });
      if (count < ATTEMPTS_MAX) cancel = clock.schedule(AGAIN_MS, () => void attempt(count + 1));
    }
  };
  signal.addEventListener('abort', () => cancel(), { once: true });
  void attempt(1);
}

async function ensureSystemPriorityClasses({
  client,
  signal,
}: Pick<ControllerDependencies, 'client' | 'signal'>): Promise<void> {
  const all = client.resource<PriorityClass>(priorityClasses);
  const { items } = await all.listAll({ signal });
  const there = new Set(items.map(({ metadata }) => metadata.name));
  const missing = [...systemPriorities].filter(([name]) => !there.has(name));
  await Promise.all(
    missing.map(async ([name, value]) => {
      try {
        const description = DESCRIPTIONS[name] ?? '';
        await all.create({ metadata: { name }, value, description }, { signal });
      } catch (error) {
        if (!isWriteConflict(error)) throw error;
      }
    }),
  );
}
