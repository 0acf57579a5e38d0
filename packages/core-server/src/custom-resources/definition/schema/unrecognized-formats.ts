import type { CustomResourceDefinitionSpec } from '@tributary/api/apiextensions-v1';
import { isRecognizedFormat } from '@tributary/server/schema';
import { someSchema } from './each-schema.ts';

/** Formats that are not checked; who writes one may think otherwise. */
export function unrecognizedFormats({ versions }: CustomResourceDefinitionSpec): Set<string> {
  const formats = new Set<string>();
  for (const { schema } of versions ?? []) {
    someSchema(schema?.openAPIV3Schema, ({ type = '', format = '' }) => {
      if (format !== '' && !isRecognizedFormat(type, format)) formats.add(format);
      return false;
    });
  }
  return formats;
}
