import type { CustomResourceDefinitionSpec } from '@tributary/api/apiextensions-v1';
import { isRecognizedFormat } from '@tributary/server/schema';
import { someSchema } from './some-schema.ts';

/** Warnings about valid schemas with features that have no effect. */
export function specWarnings(spec: CustomResourceDefinitionSpec): string[] {
  const formats = [...unrecognizedFormats(spec)];
  return [
    ...formats.map((format) => `unrecognized format ${JSON.stringify(format)}`),
    ...setWarnings(spec),
  ];
}

/** Formats that are not validated, which causes a warning. */
function unrecognizedFormats({ versions }: CustomResourceDefinitionSpec): Set<string> {
  const formats = new Set<string>();
  for (const { schema } of versions ?? []) {
    someSchema(schema?.openAPIV3Schema, ({ type = '', format = '' }) => {
      if (format !== '' && !isRecognizedFormat(type, format)) formats.add(format);
      return false;
    });
  }
  return formats;
}

/** Warnings about sets with items that are not scalars, which server-side apply and CEL rules do not support. */
function setWarnings({ versions }: CustomResourceDefinitionSpec): Set<string> {
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
