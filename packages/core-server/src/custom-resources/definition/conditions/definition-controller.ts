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
import { customResourceDefinitions } from '../resources.ts';

/** As upstream, these are parts of the server: it is the manager of what they write. */
const MANAGER = 'kube-apiserver';

interface DefinitionController {
  readonly name: string;
  /** How many are written at once. */
  readonly concurrency: number;
  /** Whether anything is to be done about a definition. It is asked for every change, and must be quick. */
  readonly isDue: (definition: CustomResourceDefinition) => boolean;
  /** Gives the status as it should be; undefined leaves it as it is. */
  readonly judge: (
    definition: CustomResourceDefinition,
  ) => CustomResourceDefinitionStatus | undefined;
  /** After it was written. */
  readonly written?: (definition: CustomResourceDefinition, queue: WorkQueue<string>) => void;
  /** One is gone. */
  readonly deleted?: (definition: CustomResourceDefinition, queue: WorkQueue<string>) => void;
  /** For a controller that depends on more than definitions: it adds their names when that changes. */
  readonly started?: (queue: WorkQueue<string>) => void;
}

/** Keeps something in the status of every definition. */
export function runDefinitionController(
  { name, concurrency, isDue, judge, written, deleted, started }: DefinitionController,
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
        const status = judge(definition);
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
          // It is gone, or it has changed meanwhile: whoever did so is heard of.
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
