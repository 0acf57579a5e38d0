import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import type { WorkQueue } from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import { hasCondition, withCondition } from './condition.ts';
import { definitionsOf, runDefinitionController } from './definition-controller.ts';
import { acceptNames, hasItsNames, usedNames } from './names-accepted.ts';

/** Accepts the names of definitions: the first definition has a name until it is deleted. */
export function runNamingController(dependencies: ControllerDependencies): Promise<void> {
  const { clock } = dependencies;
  const { store } = definitionsOf(dependencies);
  // Own writes that the informer has not reported yet, so that a name is not accepted twice.
  const recent = new Map<string, AcceptedWrite>();

  const othersOf = (definition: CustomResourceDefinition): CustomResourceDefinition[] =>
    store.list().filter(({ spec, metadata }) => {
      const isOther = metadata.name !== definition.metadata.name;
      return isOther && spec.group === definition.spec.group;
    });

  const namesOf = (definition: CustomResourceDefinition): CustomResourceDefinitionNames => {
    const name = definition.metadata.name ?? '';
    const given = recent.get(name);
    if (given !== undefined && given.version > versionOf(definition)) return given.names;
    recent.delete(name);
    return definition.status.acceptedNames;
  };

  /** Definitions with a name conflict may get the name now. */
  const enqueueWaiting = (definition: CustomResourceDefinition, queue: WorkQueue<string>): void => {
    for (const other of othersOf(definition)) {
      if (!hasItsNames(other)) queue.add(other.metadata.name ?? '');
    }
  };

  return runDefinitionController(
    {
      name: 'custom-resource-naming',
      // Concurrent decisions could accept a name twice.
      concurrency: 1,
      isDue: (definition) => !hasItsNames(definition),
      nextStatus: (definition) => {
        const used = usedNames([definition, ...othersOf(definition)].map(namesOf));
        const { names, conditions } = acceptNames(definition, used);
        const [accepted] = conditions;
        const { status } = definition;
        const isSame = isDeepStrictEqual({ ...names }, { ...status.acceptedNames });
        if (isSame && accepted !== undefined && hasCondition(definition, accepted))
          return undefined;
        return {
          ...status,
          acceptedNames: names,
          conditions: conditions.reduce(
            (list, one) => withCondition(list, one, clock.nowMs()),
            status.conditions,
          ),
        };
      },
      written: (definition, queue) => {
        const names = definition.status.acceptedNames;
        recent.set(definition.metadata.name ?? '', { version: versionOf(definition), names });
        enqueueWaiting(definition, queue);
      },
      deleted: (definition, queue) => {
        recent.delete(definition.metadata.name ?? '');
        enqueueWaiting(definition, queue);
      },
    },
    dependencies,
  );
}

interface AcceptedWrite {
  readonly version: bigint;
  readonly names: CustomResourceDefinitionNames;
}

/** resourceVersions of one server are increasing numbers. */
function versionOf({ metadata }: CustomResourceDefinition): bigint {
  const text = metadata.resourceVersion ?? '';
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}
