import type { Namespace } from '@tributary/api/core-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceType } from '@tributary/client';
import {
  type ControllerDependencies,
  isNamespaceTerminating,
  isWriteConflict,
  keyedController,
  namespaces,
} from '@tributary/client/controller';

interface PerNamespaceObject<T extends KubeObject> {
  readonly name: string;
  readonly type: ResourceType;
  /** The name of the object; others of the type are ignored. */
  readonly objectName: string;
  /** Whether to watch only objects of this name, when no other informer watches the whole type. */
  readonly watchByName?: boolean;
  /** The object to create. */
  readonly desired: (namespace: string) => T;
  /** The update of the live object; undefined when it is up to date. */
  readonly correct?: (live: T) => T | undefined;
}

const CONCURRENCY = 5;

/** Keeps one object in every namespace that is not terminating. */
export function runPerNamespace<T extends KubeObject>(
  object: PerNamespaceObject<T>,
  dependencies: ControllerDependencies,
): { readonly done: Promise<void>; again(): void } {
  const { client, informers, signal } = dependencies;
  const { type, objectName, desired: wanted, correct: corrected } = object;
  const places = informers.of<Namespace>(namespaces);
  const selector = object.watchByName ? `metadata.name=${objectName}` : undefined;
  const objects = informers.of<T>(type, selector);
  const { queue, done } = keyedController(
    {
      name: object.name,
      concurrency: CONCURRENCY,
      reconcile: async (namespace) => {
        const place = places.store.get(namespace);
        if (place === undefined || place.metadata.deletionTimestamp) return;
        const live = objects.store.get(`${namespace}/${objectName}`);
        const all = client.resource<T>(type).in(namespace);
        try {
          if (live === undefined) return void (await all.create(wanted(namespace), { signal }));
          const next = corrected?.(live);
          if (next !== undefined) await all.update(next, { signal });
        } catch (error) {
          // Written by another client, which the informer reports, or no longer needed.
          if (!isWriteConflict(error) && !isNamespaceTerminating(error)) throw error;
        }
      },
    },
    dependencies,
  );
  const subscriptions = [
    places.addHandler({
      onAdd: ({ metadata }) => queue.add(metadata.name ?? ''),
      onUpdate: (_old, { metadata }) => queue.add(metadata.name ?? ''),
    }),
    objects.addHandler({
      onUpdate: (_old, { metadata }) => {
        if (metadata.name === objectName) queue.add(metadata.namespace ?? '');
      },
      onDelete: ({ metadata }) => {
        if (metadata.name === objectName) queue.add(metadata.namespace ?? '');
      },
    }),
  ];
  const leave = () => {
    for (const one of subscriptions) one.close();
  };
  signal.addEventListener('abort', leave, {
    once: true,
  });
  const again = () => {
    for (const { metadata } of places.store.list()) queue.add(metadata.name ?? '');
  };
  return { done, again };
}
