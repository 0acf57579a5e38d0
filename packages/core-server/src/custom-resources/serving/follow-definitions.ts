import type { CustomResourceDefinition } from '@tributary/api/apiextensions-v1';
import type { Informer } from '@tributary/client';
import type { LiveResources, Logger } from '@tributary/server';
import type { UndescribedDefinitions } from '../definition/openapi-problems.ts';
import { compileDefinition } from './compile-definition.ts';
import type { ConverterOf } from './conversions.ts';
import { isServed, isTerminating } from './definition-state.ts';

interface FollowOptions {
  readonly informer: Informer<CustomResourceDefinition>;
  readonly live: LiveResources;
  readonly converterOf: ConverterOf;
  readonly undescribed: UndescribedDefinitions;
  readonly log: Logger;
}

interface FollowedDefinitions {
  /** Everything that was defined when it began is served. */
  whenServed(): Promise<void>;
  close(): void;
}

/** What was served of a definition: it is compiled again only when this changes. */
interface Served {
  readonly uid: string;
  /** Of what watches depend on. */
  readonly content: string;
  readonly isTerminating: boolean;
}

/** Serves what CustomResourceDefinitions define, as long as they do. */
export function followDefinitions({
  informer,
  live,
  converterOf,
  undescribed,
  log,
}: FollowOptions): FollowedDefinitions {
  const known = new Map<string, Served>();

  const stop = (name: string) => {
    if (known.delete(name)) live.stop(name);
  };

  const take = (definition: CustomResourceDefinition) => {
    const name = definition.metadata.name ?? '';
    if (!isServed(definition)) return stop(name);
    const next = servedOf(definition);
    const before = known.get(name);
    if (before && isSame(before, next)) return;
    try {
      // As upstream: watches end with what they were begun with, not because the definition goes.
      const endsWatches = before?.uid !== next.uid || before.content !== next.content;
      const compiled = compileDefinition(definition, converterOf, (problem) =>
        undescribed.report(definition, problem),
      );
      live.serve(name, { ...compiled, endsWatches });
      known.set(name, next);
    } catch (error) {
      // What was served before would not be what is defined.
      stop(name);
      log.error(error, 'A custom resource cannot be served', { name });
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

function servedOf(definition: CustomResourceDefinition): Served {
  const { metadata, status } = definition;
  // The generation counts changes of the spec.
  const names = JSON.stringify(status.acceptedNames);
  return {
    uid: metadata.uid ?? '',
    content: `${metadata.generation ?? 0} ${names}`,
    isTerminating: isTerminating(definition),
  };
}

function isSame(a: Served, b: Served): boolean {
  return a.uid === b.uid && a.content === b.content && a.isTerminating === b.isTerminating;
}
