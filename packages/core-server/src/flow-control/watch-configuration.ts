import type { FlowSchema, PriorityLevelConfiguration } from '@tributary/api/flowcontrol-v1';
import type { KubeObject } from '@tributary/apimachinery';
import type { ResourceType } from '@tributary/client';
import {
  flowSchemas,
  priorityLevelConfigurations,
  type SharedInformers,
} from '@tributary/client/controller';
import type { FlowController } from './flow-controller.ts';

/** Keeps the controller in sync with stored schemas and levels. Resolves when it has all of them. */
export async function watchFlowControl(
  controller: FlowController,
  informers: SharedInformers,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([
    watchType<PriorityLevelConfiguration>(informers, priorityLevelConfigurations, signal, {
      put: (level) => controller.putLevel(level),
      remove: (name) => controller.removeLevel(name),
    }),
    watchType<FlowSchema>(informers, flowSchemas, signal, {
      put: (schema) => controller.putSchema(schema),
      remove: (name) => controller.removeSchema(name),
    }),
  ]);
}

function watchType<T extends KubeObject>(
  informers: SharedInformers,
  type: ResourceType,
  signal: AbortSignal,
  { put, remove }: { put(object: T): void; remove(name: string): void },
): Promise<void> {
  const subscription = informers.of<T>(type).addHandler({
    onAdd: put,
    onUpdate: (_old, object) => put(object),
    onDelete: ({ metadata }) => remove(metadata.name ?? ''),
  });
  signal.addEventListener('abort', () => subscription.close(), { once: true });
  return subscription.whenSynced();
}
