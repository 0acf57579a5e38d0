import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ControllerDependencies, SharedInformers } from '@tributary/client/controller';
import type { LiveResources, Logger } from '@tributary/server';
import { runCustomResourceConditions } from '../definition/conditions/condition-controllers.ts';
import { customResourceDefinitions } from '../definition/resource-type.ts';
import type { UndescribedDefinitions } from '../definition/undescribed-definitions.ts';
import { type ResolveService, webhookCalls } from './call-webhook.ts';
import { runFinalizingController } from './finalizing-controller.ts';
import { serveDefinitions } from './serve-definitions.ts';
import { webhookConverter } from './webhook-converter.ts';

interface CustomResourcesOptions {
  readonly informers: SharedInformers;
  readonly live: LiveResources;
  readonly undescribed: UndescribedDefinitions;
  readonly log: Logger;
  /** Resolves Services of conversion webhooks. */
  readonly resolveService: ResolveService;
  /** Stops watching definitions and closes connections. */
  readonly signal: AbortSignal;
}

/** Resolves when all existing definitions are served; later changes are watched. */
export async function serveCustomResources(options: CustomResourcesOptions): Promise<void> {
  const { informers, resolveService, signal } = options;
  const webhooks = webhookCalls({ resolveService });
  const followed = serveDefinitions({
    ...options,
    informer: informers.of<CustomResourceDefinition>(customResourceDefinitions),
    converterOf: (definition) => webhookConverter(definition, webhooks.call),
  });
  const close = () => {
    followed.close();
    webhooks.close();
  };
  signal.addEventListener('abort', close, { once: true });
  await followed.whenServed();
}

/**
 * The controllers of definitions that upstream runs inside the API server, independent of other controllers. The client
 * must reach local objects, because another server may be registered for a group.
 */
export async function runCustomResourceControllers(
  dependencies: ControllerDependencies,
  undescribed: UndescribedDefinitions,
): Promise<void> {
  await Promise.all([
    runCustomResourceConditions(dependencies, undescribed),
    runFinalizingController(dependencies),
  ]);
}
