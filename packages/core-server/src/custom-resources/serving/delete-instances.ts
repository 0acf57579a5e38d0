import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceClient, ResourceType } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';
import { type Condition, isTrue, says, withCondition } from '../definition/conditions/condition.ts';
import { CLEANUP_FINALIZER } from '../definition/deletion.ts';
import { customResourceDefinitions } from '../definition/resources.ts';
import { versionsOf } from './definition-state.ts';

const CONCURRENCY = 5;
/** Objects with finalizers go when somebody lets them: nobody tells, so somebody must look. */
const LOOK_AGAIN_MS = 500;
/** As upstream: after that the definition says that it waits in vain. */
const PATIENCE_MS = 60_000;

/**
 * Deletes the objects of definitions that are deleted, and lets those go when nothing is left. The client must reach the
 * objects that are kept here, and no other server's.
 */
export function runInstanceDeletion(dependencies: ControllerDependencies): Promise<void> {
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
        const isLate = clock.nowMs() - begun >= PATIENCE_MS;
        if (isLate) since.delete(name);
        const outcome = await finish(definition, { ...dependencies, isLate });
        if (outcome === 'again') queue.addAfter(name, LOOK_AGAIN_MS);
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

type Finishing = Pick<ControllerDependencies, 'client' | 'clock' | 'signal'> & {
  readonly isLate: boolean;
};

/** One attempt; `again`: something is left. */
async function finish(
  definition: CustomResourceDefinition,
  finishing: Finishing,
): Promise<'done' | 'again'> {
  const begun = await write(definition, IN_PROGRESS, finishing);
  if (begun === undefined) return 'done'; // changed meanwhile: whoever did so is heard of
  if (!isTrue(begun, 'Established')) return await letGo(begun, NEVER_ESTABLISHED, finishing);
  try {
    const left = await deleteAll(begun, finishing);
    if (left === 0) return await letGo(begun, COMPLETED, finishing);
  } catch (error) {
    await write(begun, failed(error), finishing);
    throw error;
  }
  if (!finishing.isLate) return 'again';
  await write(begun, NOT_CONFIRMED, finishing);
  throw new Error(`objects of ${definition.metadata.name} do not go`);
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

function failed(error: unknown): Condition {
  const why = error instanceof Error ? error.message : String(error);
  return {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionFailed',
    message: `could not issue all deletes: ${why}`,
  };
}

/** Asks for every object to go, and tells how many stay for a while. */
async function deleteAll(
  definition: CustomResourceDefinition,
  { client, signal }: Finishing,
): Promise<number> {
  const type = storedType(definition);
  const all = client.resource<KubeObject>(type);
  const there = await survey(all, signal);
  for (const namespace of there.namespaces) {
    const place = type.namespaced ? all.in(namespace) : all;
    await place.deleteCollection({ signal });
  }
  if (there.namespaces.size === 0) return there.count;
  return (await survey(all, signal)).count;
}

/** So many at a time: there may be more than fit into memory. */
const PAGE = 500;

/** How many there are, and where some of them were not yet asked to go. */
async function survey(
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

/** In the stored version nobody need be asked to convert anything. */
function storedType(definition: CustomResourceDefinition): ResourceType {
  const { group, scope, names } = definition.spec;
  const version = versionsOf(definition).find(({ storage }) => storage)?.name ?? '';
  return { group, version, plural: names.plural, namespaced: scope !== 'Cluster' };
}

async function letGo(
  definition: CustomResourceDefinition,
  condition: Condition,
  finishing: Finishing,
): Promise<'done'> {
  const { finalizers = [] } = definition.metadata;
  const rest = finalizers.filter((one) => one !== CLEANUP_FINALIZER);
  const metadata = { ...definition.metadata, finalizers: rest };
  await write({ ...definition, metadata }, condition, finishing);
  return 'done';
}

/** What is written then; undefined when somebody else was faster, or it is gone. */
async function write(
  definition: CustomResourceDefinition,
  condition: Condition,
  { client, clock, signal }: Pick<Finishing, 'client' | 'clock' | 'signal'>,
): Promise<CustomResourceDefinition | undefined> {
  const isSaid = says(definition, condition);
  if (isSaid && hasFinalizer(definition.metadata.finalizers)) return definition;
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
