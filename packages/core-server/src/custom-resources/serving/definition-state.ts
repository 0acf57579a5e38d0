import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@tributary/api/apiextensions-v1';
import { isTrue } from '../definition/conditions/condition.ts';

/** As upstream: what has its names is served a moment before it is established. */
export function isServed(definition: CustomResourceDefinition): boolean {
  return isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established');
}

/** Its objects go, and it takes no new ones. */
export function isTerminating(definition: CustomResourceDefinition): boolean {
  const { deletionTimestamp } = definition.metadata;
  return typeof deletionTimestamp === 'string' || isTrue(definition, 'Terminating');
}

/** All versions. While it goes, what it stores is served: its objects must be reachable to be deleted. */
export function versionsOf(
  definition: CustomResourceDefinition,
): readonly CustomResourceDefinitionVersion[] {
  const all = definition.spec.versions ?? [];
  if (!isTerminating(definition)) return all;
  return all.map((one) => ({ ...one, served: one.served || one.storage }));
}
