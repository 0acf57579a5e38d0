import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceClient, ResourceType } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';
import {
  type Condition,
  hasCondition,
  isTrue,
  withCondition,
} from '../definition/conditions/condition.ts';
import { CLEANUP_FINALIZER } from '../definition/deletion.ts';
import { customResourceDefinitions } from '../definition/resource-type.ts';
import { versionsOf } from './definition-state.ts';

const CONCURRENCY = 5;
/** Objects with finalizers are deleted by other clients; there is no watch on them, so this polls. */
const POLL_MS = 500;
/** As upstream: after this time the condition reports that objects remain. */
const TIMEOUT_MS = 60_000;

/**
 * Deletes the objects of terminating definitions, then removes their finalizer. The client must reach the local
 * objects, not those of an aggregated server for the group.
 */
export function runFinalizingController(dependencies: ControllerDependencies): Promise<void> {
  const { clock, informers, signal } = dependencies;
  const informer = informers.of<CustomResourceDefinition>(customResourceDefinitions);
  const since = new Map<string, number>();
  const { queue, done } = keyedController(
    {
      name: 'custom-resource-finalizer',
      concurrency: CONCURRENCY,
      reconcile: async (name) => {
        const definition = informer.store.get(name);
        if (definition === undefined || !isDue(definition)) {
          since.delete(name);
          return;
        }
        const begun = since.get(name) ?? clock.nowMs();
        since.set(name, begun);
        const isLate = clock.nowMs() - begun >= TIMEOUT_MS;
        if (isLate) since.delete(name);
        const outcome = await finish(definition, { ...dependencies, isLate });
        if (outcome === 'again') queue.addAfter(name, POLL_MS);
      },
    },
    dependencies,
  );
  const consider = (definition: CustomResourceDefinition) => {
    if (isDue(definition)) queue.add(definition.metadata.name ?? '');
  };
  const subscription = informer.addHandler({
    onAdd: consider,
    onUpdate: (_old, definition) => consider(definition),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return done;
}

function isDue({ metadata }: CustomResourceDefinition): boolean {
  return Boolean(metadata.deletionTimestamp) && hasFinalizer(metadata.finalizers);
}

function hasFinalizer(finalizers: readonly string[] | undefined): boolean {
  return finalizers?.includes(CLEANUP_FINALIZER) ?? false;
}

type FinishOptions = Pick<ControllerDependencies, 'client' | 'clock' | 'signal'> & {
  readonly isLate: boolean;
};

/** One attempt; `again` when objects remain. */
async function finish(
  definition: CustomResourceDefinition,
  finishing: FinishOptions,
): Promise<'done' | 'again'> {
  const begun = await write(definition, IN_PROGRESS, finishing);
  if (begun === undefined) return 'done'; // Changed meanwhile: the informer reports it.
  if (!isTrue(begun, 'Established'))
    return await removeFinalizer(begun, NEVER_ESTABLISHED, finishing);
  try {
    const left = await deleteAll(begun, finishing);
    if (left === 0) return await removeFinalizer(begun, COMPLETED, finishing);
  } catch (error) {
    await write(begun, failedCondition(error), finishing);
    throw error;
  }
  if (!finishing.isLate) return 'again';
  await write(begun, NOT_CONFIRMED, finishing);
  throw new Error(`objects of ${definition.metadata.name} remain`);
}

const IN_PROGRESS: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const NEVER_ESTABLISHED: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};
const COMPLETED: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};
const NOT_CONFIRMED: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionCheck',
  message: 'could not confirm zero CustomResources remaining: context deadline exceeded',
};

function failedCondition(error: unknown): Condition {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionFailed',
    message: `could not issue all deletes: ${reason}`,
  };
}

/** Deletes all objects and returns how many remain. */
async function deleteAll(
  definition: CustomResourceDefinition,
  { client, signal }: FinishOptions,
): Promise<number> {
  const type = storedType(definition);
  const all = client.resource<KubeObject>(type);
  const there = await countObjects(all, signal);
  for (const namespace of there.namespaces) {
    const place = type.namespaced ? all.in(namespace) : all;
    await place.deleteCollection({ signal });
  }
  if (there.namespaces.size === 0) return there.count;
  return (await countObjects(all, signal)).count;
}

/** The page size, because all objects may not fit into memory. */
const PAGE = 500;

/** The number of objects, and the namespaces with some that are not yet marked for deletion. */
async function countObjects(
  all: ResourceClient<KubeObject>,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly namespaces: ReadonlySet<string> }> {
  const namespaces = new Set<string>();
  let count = 0;
  let token: string | undefined;
  do {
    const page = await all.list({ limit: PAGE, ...(token && { continue: token }), signal });
    count += page.items.length;
    for (const { metadata } of page.items) {
      if (!metadata.deletionTimestamp) namespaces.add(metadata.namespace ?? '');
    }
    token = page.metadata.continue;
  } while (token);
  return { count, namespaces };
}

/** The storage version needs no conversion. */
function storedType(definition: CustomResourceDefinition): ResourceType {
  const { group, scope, names } = definition.spec;
  const version = versionsOf(definition).find(({ storage }) => storage)?.name ?? '';
  return { group, version, plural: names.plural, namespaced: scope !== 'Cluster' };
}

async function removeFinalizer(
  definition: CustomResourceDefinition,
  condition: Condition,
  finishing: FinishOptions,
): Promise<'done'> {
  const { finalizers = [] } = definition.metadata;
  const rest = finalizers.filter((one) => one !== CLEANUP_FINALIZER);
  const metadata = { ...definition.metadata, finalizers: rest };
  await write({ ...definition, metadata }, condition, finishing);
  return 'done';
}

/** The written object; undefined when it was changed or deleted meanwhile. */
async function write(
  definition: CustomResourceDefinition,
  condition: Condition,
  { client, clock, signal }: Pick<FinishOptions, 'client' | 'clock' | 'signal'>,
): Promise<CustomResourceDefinition | undefined> {
  const isCurrent = hasCondition(definition, condition);
  if (isCurrent && hasFinalizer(definition.metadata.finalizers)) return definition;
  const conditions = withCondition(definition.status.conditions, condition, clock.nowMs());
  const next = { ...definition, status: { ...definition.status, conditions } };
  try {
    return await client
      .resource<CustomResourceDefinition>(customResourceDefinitions)
      .update(next, { subresource: 'status', signal });
  } catch (error) {
    if (isNotFound(error) || isWriteConflict(error)) return undefined;
    throw error;
  }
}
