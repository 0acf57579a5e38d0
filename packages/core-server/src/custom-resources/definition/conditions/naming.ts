import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import type { WorkQueue } from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import { acceptNames, hasItsNames, usedNames } from './accept-names.ts';
import { says, withCondition } from './condition.ts';
import { definitionsOf, runDefinitionController } from './definition-controller.ts';

/** Gives names to definitions: who comes first has them, until it goes. */
export function runNaming(dependencies: ControllerDependencies): Promise<void> {
  const { clock } = dependencies;
  const { store } = definitionsOf(dependencies);
  // What was written here and has not come back yet: a name must not be given away twice meanwhile.
  const recent = new Map<string, Given>();

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

  /** Whoever waits for a name may have it now. */
  const tellOthers = (definition: CustomResourceDefinition, queue: WorkQueue<string>): void => {
    for (const other of othersOf(definition)) {
      if (!hasItsNames(other)) queue.add(other.metadata.name ?? '');
    }
  };

  return runDefinitionController(
    {
      name: 'custom-resource-naming',
      // Two decisions at once could give a name away twice.
      concurrency: 1,
      isDue: (definition) => !hasItsNames(definition),
      judge: (definition) => {
        const used = usedNames([definition, ...othersOf(definition)].map(namesOf));
        const { names, conditions } = acceptNames(definition, used);
        const [accepted] = conditions;
        const { status } = definition;
        const isSame = isDeepStrictEqual({ ...names }, { ...status.acceptedNames });
        if (isSame && accepted !== undefined && says(definition, accepted)) return undefined;
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
        tellOthers(definition, queue);
      },
      deleted: (definition, queue) => {
        recent.delete(definition.metadata.name ?? '');
        tellOthers(definition, queue);
      },
    },
    dependencies,
  );
}

interface Given {
  readonly version: bigint;
  readonly names: CustomResourceDefinitionNames;
}

/** Versions of one server's objects are numbers that grow. */
function versionOf({ metadata }: CustomResourceDefinition): bigint {
  const text = metadata.resourceVersion ?? '';
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}
