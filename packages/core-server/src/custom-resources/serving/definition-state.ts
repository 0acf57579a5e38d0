import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@tributary/api/apiextensions-v1';
import { isTrue } from '../definition/conditions/condition.ts';

/** As upstream: a definition is served from accepted names on, shortly before it is established. */
export function isServed(definition: CustomResourceDefinition): boolean {
  return isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established');
}

/** Its objects are being deleted, and creates are rejected. */
export function isTerminating(definition: CustomResourceDefinition): boolean {
  const { deletionTimestamp } = definition.metadata;
  return typeof deletionTimestamp === 'string' || isTrue(definition, 'Terminating');
}

/** All versions. While the definition terminates, the storage version is served, so that its objects can be deleted. */
export function versionsOf(
  definition: CustomResourceDefinition,
): readonly CustomResourceDefinitionVersion[] {
  const all = definition.spec.versions ?? [];
  if (!isTerminating(definition)) return all;
  return all.map((one) => ({ ...one, served: one.served || one.storage }));
}
