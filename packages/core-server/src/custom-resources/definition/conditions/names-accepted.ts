import { isDeepStrictEqual } from 'node:util';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
} from '@tributary/api/apiextensions-v1';
import { aggregateTexts } from '@tributary/apimachinery';
import { type Condition, findCondition } from './condition.ts';

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
