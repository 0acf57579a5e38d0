import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { ControllerDependencies, SharedInformers } from '@tributary/client/controller';
import type { LiveResources, Logger } from '@tributary/server';
import { runCustomResourceConditions } from '../definition/conditions/run-conditions.ts';
import type { UndescribedDefinitions } from '../definition/openapi-problems.ts';
import { customResourceDefinitions } from '../definition/resources.ts';
import { type ResolveService, webhookCalls } from './call-webhook.ts';
import { runInstanceDeletion } from './delete-instances.ts';
import { followDefinitions } from './follow-definitions.ts';
import { webhookConverter } from './webhook-converter.ts';

interface CustomResourcesOptions {
  readonly informers: SharedInformers;
  readonly live: LiveResources;
  readonly undescribed: UndescribedDefinitions;
  readonly log: Logger;
  /** Finds the webhooks that are services. */
  readonly resolveService: ResolveService;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** Resolves when everything is served that is defined now; what changes later is followed. */
export async function serveCustomResources(options: CustomResourcesOptions): Promise<void> {
  const { informers, resolveService, signal } = options;
  const webhooks = webhookCalls({ resolveService });
  const followed = followDefinitions({
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
 * What upstream's API server does with definitions by itself, whatever other controllers run. The client is of what is
 * kept here: the objects of a definition are here, whichever other server answers for its group.
 */
export async function runCustomResourceControllers(
  dependencies: ControllerDependencies,
  undescribed: UndescribedDefinitions,
): Promise<void> {
  await Promise.all([
    runCustomResourceConditions(dependencies, undescribed),
    runInstanceDeletion(dependencies),
  ]);
}
