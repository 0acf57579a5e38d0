import type {
  CustomResourceDefinition,
  CustomResourceDefinitionStatus,
} from '@tributary/api/apiextensions-v1';
import type { Informer, WorkQueue } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';
import { customResourceDefinitions } from '../resource-type.ts';

/** As upstream, these controllers are parts of the API server, which is the field manager of their writes. */
const MANAGER = 'kube-apiserver';

interface DefinitionController {
  readonly name: string;
  /** The number of concurrent writes. */
  readonly concurrency: number;
  /** Whether a definition may need a write. Called for every change, so it must be cheap. */
  readonly isDue: (definition: CustomResourceDefinition) => boolean;
  /** Returns the status to write; undefined when it is up to date. */
  readonly nextStatus: (
    definition: CustomResourceDefinition,
  ) => CustomResourceDefinitionStatus | undefined;
  /** Called after a write. */
  readonly written?: (definition: CustomResourceDefinition, queue: WorkQueue<string>) => void;
  /** Called after a deletion. */
  readonly deleted?: (definition: CustomResourceDefinition, queue: WorkQueue<string>) => void;
  /** For controllers that depend on more than definitions: they add names to the queue. */
  readonly started?: (queue: WorkQueue<string>) => void;
}

/** Runs a controller that keeps a part of the status of every definition up to date. */
export function runDefinitionController(
  { name, concurrency, isDue, nextStatus, written, deleted, started }: DefinitionController,
  dependencies: ControllerDependencies,
): Promise<void> {
  const { client, signal } = dependencies;
  const informer = definitionsOf(dependencies);
  const { queue, done } = keyedController(
    {
      name,
      concurrency,
      reconcile: async (key) => {
        const definition = informer.store.get(key);
        if (definition === undefined || !isDue(definition)) return;
        const status = nextStatus(definition);
        if (status === undefined) return;
        try {
          const next = await client
            .resource<CustomResourceDefinition>(customResourceDefinitions)
            .update(
              { ...definition, status },
              { subresource: 'status', fieldManager: MANAGER, signal },
            );
          written?.(next, queue);
        } catch (error) {
          // Deleted or changed meanwhile: the informer reports it.
          if (!isNotFound(error) && !isWriteConflict(error)) throw error;
        }
      },
    },
    dependencies,
  );
  started?.(queue);
  const consider = (definition: CustomResourceDefinition) => {
    if (isDue(definition)) queue.add(definition.metadata.name ?? '');
  };
  const subscription = informer.addHandler({
    onAdd: consider,
    onUpdate: (_before, definition) => consider(definition),
    onDelete: (definition) => deleted?.(definition, queue),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return done;
}

export function definitionsOf({
  informers,
}: Pick<ControllerDependencies, 'informers'>): Informer<CustomResourceDefinition> {
  return informers.of<CustomResourceDefinition>(customResourceDefinitions);
}
