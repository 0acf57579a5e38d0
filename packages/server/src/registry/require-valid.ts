import { invalid, type KubeObject } from '@tributary/apimachinery';
import type { ResourceDefinition } from '../definition/resource.ts';
import { schemaValidator } from '../validation/schema-validation.ts';
import { storedVersion } from './definition-strategy.ts';

/** Refuses a stored object that the schema rejects with 422, for changes that no client has sent. */
export function requireValid(
  group: string,
  definition: ResourceDefinition,
): (object: KubeObject) => void {
  const validate = schemaValidator(storedVersion(definition).schema);
  const kind = { group, kind: definition.kind };
  return (object) => {
    const errors = validate(object);
    if (errors.length > 0) throw invalid(kind, object.metadata.name ?? '', errors);
  };
}
