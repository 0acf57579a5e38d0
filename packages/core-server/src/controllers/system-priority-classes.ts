import type { PriorityClass } from '@tributary/api/scheduling-v1';
import {
  type ControllerDependencies,
  isWriteConflict,
  priorityClasses,
} from '@tributary/client/controller';
import { systemPriorities } from '../kinds/scheduling/priority-class/system-priorities.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'system-node-critical': 'For pods that a node depends on and that must not leave it.',
  'system-cluster-critical': 'For pods that the cluster depends on, on any node.',
};
const RETRY_MS = 1_000;
const ATTEMPTS_MAX = 30;

/**
 * Creates the system PriorityClasses. Like upstream's post-start hook it retries for a limited time; pods that name a
 * class are admitted meanwhile.
 */
export function writeSystemPriorityClasses(dependencies: ControllerDependencies): void {
  const { clock, log, signal } = dependencies;
  let cancel = () => {};
  const attempt = async (count: number) => {
    try {
      await ensureSystemPriorityClasses(dependencies);
    } catch (error) {
      if (signal.aborted) return;
      log.error(error, 'Creating system priority classes failed', { count });
      if (count < ATTEMPTS_MAX) cancel = clock.schedule(RETRY_MS, () => void attempt(count + 1));
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
