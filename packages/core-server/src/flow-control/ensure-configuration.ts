import type { FlowSchema, PriorityLevelConfiguration } from '@tributary/api/flowcontrol-v1';
import type { Client, ResourceClient } from '@tributary/client';
import {
  type ControllerDependencies,
  flowSchemas,
  isNotFound,
  isWriteConflict,
  priorityLevelConfigurations,
} from '@tributary/client/controller';
import { bootstrapObjects, isMandatory } from './bootstrap-objects.ts';
import { isUnwanted, reviseObject } from './revise-object.ts';

const PRODUCER = 'api-priority-and-fairness-config-producer-v1';
const CHECK_MS = 60_000;

/** Creates and updates the bootstrap FlowSchemas and PriorityLevelConfigurations. */
export async function ensureFlowControl({
  client,
  signal,
}: {
  readonly client: Client;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { levels, schemas } = bootstrapObjects();
  // Levels first: a FlowSchema without its level is inactive.
  await ensureAll(
    client.resource<PriorityLevelConfiguration>(priorityLevelConfigurations),
    levels,
    signal,
  );
  await ensureAll(client.resource<FlowSchema>(flowSchemas), schemas, signal);
}

/** Repeats `ensureFlowControl` every minute until the signal fires. */
export function runFlowControlEnsurer(dependencies: ControllerDependencies): void {
  const { clock, log, signal } = dependencies;
  const check = async () => {
    try {
      await ensureFlowControl(dependencies);
    } catch (error) {
      if (!signal.aborted) {
        log.error(error, 'Reconcile failed', { name: 'flow-control' });
      }
    }
    if (!signal.aborted) cancel = clock.schedule(CHECK_MS, () => void check());
  };
  let cancel = clock.schedule(CHECK_MS, () => void check());
  signal.addEventListener('abort', () => cancel(), { once: true });
}

async function ensureAll<T extends FlowSchema | PriorityLevelConfiguration>(
  all: ResourceClient<T>,
  expected: readonly T[],
  signal: AbortSignal,
): Promise<void> {
  const { items } = await all.listAll({ signal });
  const current = new Map(items.map((item) => [item.metadata.name ?? '', item]));
  await Promise.all(
    expected.map((bootstrap) =>
      ensureOne(all, { bootstrap, current: current.get(bootstrap.metadata.name ?? '') }, signal),
    ),
  );
  const names = new Set(expected.map(({ metadata }) => metadata.name ?? ''));
  const unwanted = items.filter((item) => isUnwanted(item, names));
  await Promise.all(unwanted.map((item) => deleteOne(all, item, signal)));
}

async function ensureOne<T extends FlowSchema | PriorityLevelConfiguration>(
  all: ResourceClient<T>,
  { bootstrap, current }: { bootstrap: T; current: T | undefined },
  signal: AbortSignal,
): Promise<void> {
  const options = { fieldManager: PRODUCER, signal };
  const mandatory = isMandatory(bootstrap.metadata.name ?? '');
  const revised = current && reviseObject<T>(current, { bootstrap, mandatory });
  try {
    if (current === undefined) await all.create(bootstrap, options);
    else if (revised !== undefined) await all.update(revised, options);
  } catch (error) {
    // Another writer was faster; the next pass compares the object again.
    if (!isWriteConflict(error) && !isNotFound(error)) throw error;
  }
}

async function deleteOne<T extends FlowSchema | PriorityLevelConfiguration>(
  all: ResourceClient<T>,
  { metadata }: T,
  signal: AbortSignal,
): Promise<void> {
  try {
    await all.delete(metadata.name ?? '', { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
