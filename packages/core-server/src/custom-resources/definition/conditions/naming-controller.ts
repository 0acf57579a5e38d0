import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import { aggregateTexts } from '@tributary/apimachinery';
import type { WorkQueue } from '@tributary/client';
import type { ControllerDependencies } from '@tributary/client/controller';
import { type Condition, findCondition, hasCondition, withCondition } from './condition.ts';
import { definitionsOf, runDefinitionController } from './definition-controller.ts';

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

/** Names in use by other definitions of a group. A resource and a kind may have the same name. */
interface UsedNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

interface AcceptedNames {
  readonly names: CustomResourceDefinitionNames;
  readonly conditions: readonly Condition[];
}

export function usedNames(all: Iterable<CustomResourceDefinitionNames>): UsedNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { plural, singular, shortNames = [], kind, listKind } of all) {
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  return { resources, kinds };
}

/** Whether all requested names are accepted. */
export function hasItsNames({ spec, status }: CustomResourceDefinition): boolean {
  return isDeepStrictEqual({ ...spec.names }, { ...status.acceptedNames });
}

/** Accepts requested names that are not in use; of several conflicts the last one is reported. */
export function acceptNames(definition: CustomResourceDefinition, used: UsedNames): AcceptedNames {
  const wanted = definition.spec.names;
  const had = definition.status.acceptedNames;
  const names: CustomResourceDefinitionNames = { ...had };
  let conflict: Condition | undefined;
  const take = (
    name: 'plural' | 'singular' | 'kind' | 'listKind',
    taken: ReadonlySet<string>,
    reason: string,
  ) => {
    const text = wanted[name] ?? '';
    if (text !== (had[name] ?? '') && taken.has(text)) conflict = notAccepted(reason, [text]);
    else names[name] = text;
  };
  take('plural', used.resources, 'PluralConflict');
  take('singular', used.resources, 'SingularConflict');
  const refused = conflictingShortNames(wanted, had, used);
  if (refused.length > 0) conflict = notAccepted('ShortNamesConflict', refused);
  else assign(names, 'shortNames', wanted.shortNames);
  take('kind', used.kinds, 'KindConflict');
  take('listKind', used.kinds, 'ListKindConflict');
  assign(names, 'categories', wanted.categories);
  const accepted = conflict ?? ACCEPTED;
  return { names, conditions: [accepted, established(definition, accepted)] };
}

const ACCEPTED: Condition = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};

function notAccepted(reason: string, names: readonly string[]): Condition {
  const message = aggregateTexts(names.map((name) => `${JSON.stringify(name)} is already in use`));
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

/** Short names are accepted all together. */
function conflictingShortNames(
  { shortNames = [] }: CustomResourceDefinitionNames,
  had: CustomResourceDefinitionNames,
  { resources }: UsedNames,
): string[] {
  const own = new Set(had.shortNames);
  return shortNames.filter((name) => !own.has(name) && resources.has(name));
}

function assign(
  names: CustomResourceDefinitionNames,
  key: 'shortNames' | 'categories',
  value: string[] | undefined,
): void {
  delete names[key];
  if (value !== undefined) names[key] = value;
}

/** An established definition stays established whatever its names; the establishing controller takes the last step. */
function established(definition: CustomResourceDefinition, accepted: Condition): Condition {
  const before = findCondition(definition, 'Established');
  if (before?.status !== 'True' && accepted.status === 'True') {
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  }
  if (before !== undefined) {
    const { reason = '', message = '' } = before;
    const status = before.status === 'True' ? 'True' : 'False';
    return { type: 'Established', status, reason, message };
  }
  return {
    type: 'Established',
    status: 'False',
    reason: 'NotAccepted',
    message: 'not all names are accepted',
  };
}
