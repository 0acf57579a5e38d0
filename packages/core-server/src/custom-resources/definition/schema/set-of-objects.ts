import type { CustomResourceDefinitionSpec } from '@tributary/api/apiextensions-v1';
import { someSchema } from './each-schema.ts';

/** Warnings of sets whose items are no scalars, which server-side apply and CEL rules do not support. */
export function setWarnings({ versions }: CustomResourceDefinitionSpec): Set<string> {
  const types = new Set<string>();
  for (const { schema } of versions ?? []) {
    someSchema(schema?.openAPIV3Schema, ({ items, ...one }) => {
      if (one['x-kubernetes-list-type'] !== 'set' || Array.isArray(items)) return false;
      const { type } = items ?? {};
      if (type === 'object' || type === 'array') types.add(type);
      return false;
    });
  }
  return new Set(
    [...types]
      .sort()
      .map(
        (type) =>
          `x-kubernetes-list-type: set for items of type ${JSON.stringify(type)} is not supported by server-side apply or CEL validation rules`,
      ),
  );
}
