import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { Informer } from '@tributary/client';
import type { ControllerDependencies, SharedInformers } from '@tributary/client/controller';
import type { LiveResources, Logger } from '@tributary/server';
import { runCustomResourceConditions } from '../definition/conditions/condition-controllers.ts';
import { customResourceDefinitions } from '../definition/resource-type.ts';
import type { UndescribedDefinitions } from '../definition/undescribed-definitions.ts';
import { type ResolveService, webhookCalls } from './call-webhook.ts';
import { compileDefinition } from './compile-definition.ts';
import type { ConverterOf } from './conversions.ts';
import { isServed, isTerminating } from './definition-state.ts';
import { runFinalizingController } from './finalizing-controller.ts';
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

interface WatchOptions {
  readonly informer: Informer<CustomResourceDefinition>;
  readonly live: LiveResources;
  readonly converterOf: ConverterOf;
  readonly undescribed: UndescribedDefinitions;
  readonly log: Logger;
}

interface DefinitionWatch {
  /** Resolves when all definitions that existed at the start are served. */
  whenServed(): Promise<void>;
  close(): void;
}

/** The state of a definition that is served: it is compiled again only when this changes. */
interface ServedState {
  readonly uid: string;
  /** The state that ends watches when it changes. */
  readonly content: string;
  readonly isTerminating: boolean;
}

/** Serves the resources that CustomResourceDefinitions define. */
export function serveDefinitions({
  informer,
  live,
  converterOf,
  undescribed,
  log,
}: WatchOptions): DefinitionWatch {
  const known = new Map<string, ServedState>();

  const stop = (name: string) => {
    if (known.delete(name)) live.stop(name);
  };

  const take = (definition: CustomResourceDefinition) => {
    const name = definition.metadata.name ?? '';
    if (!isServed(definition)) return stop(name);
    const next = servedStateOf(definition);
    const before = known.get(name);
    if (before && isSame(before, next)) return;
    try {
      // As upstream: watches end when the definition changes, but not when it terminates.
      const endsWatches = before?.uid !== next.uid || before.content !== next.content;
      const compiled = compileDefinition(definition, converterOf, (problem) =>
        undescribed.report(definition, problem),
      );
      live.serve(name, { ...compiled, endsWatches });
      known.set(name, next);
    } catch (error) {
      // Serving the previous state would contradict the definition.
      stop(name);
      log.error(error, 'Serving custom resource failed', { name });
    }
  };

  const subscription = informer.addHandler({
    onAdd: take,
    onUpdate: (_old, definition) => take(definition),
    onDelete: ({ metadata }) => stop(metadata.name ?? ''),
  });
  return {
    whenServed: () => subscription.whenSynced(),
    close: () => subscription.close(),
  };
}

function servedStateOf(definition: CustomResourceDefinition): ServedState {
  const { metadata, status } = definition;
  // The generation counts changes of the spec.
  const names = JSON.stringify(status.acceptedNames);
  return {
    uid: metadata.uid ?? '',
    content: `${metadata.generation ?? 0} ${names}`,
    isTerminating: isTerminating(definition),
  };
}

function isSame(a: ServedState, b: ServedState): boolean {
  return a.uid === b.uid && a.content === b.content && a.isTerminating === b.isTerminating;
}
