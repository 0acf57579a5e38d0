import { isDeepStrictEqual } from 'node:util';
import { ConfigMap } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  root,
  validateDnsSubdomainName,
} from '@tributary/apimachinery';
import { defineResource, distinguishingEmptyMaps, version } from '@tributary/server/definition';
import { metadataErrors, metadataUpdateErrors } from '../../shared/object-metadata.ts';
import {
  dataBytesMax,
  decodedBytes,
  immutableWhenSet,
  validateDataKey,
} from '../shared/data-keys.ts';

export const configMapKind = defineResource({
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  scope: 'Namespaced',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({
      // Upstream treats an empty map as a change until something is stored; `data` is empty by default.
      typed: distinguishingEmptyMaps(ConfigMap, ['binaryData']),
      columns: [
        {
          name: 'Data',
          description: 'The number of keys',
          cell: ({ data = {}, binaryData = {} }) =>
            Object.keys(data).length + Object.keys(binaryData).length,
        },
      ],
      validate: validateConfigMap,
      validateUpdate: (next, live) => [
        ...metadataUpdateErrors(next, live),
        ...validateUnchanged(next, live),
        ...validateConfigMap(next),
      ],
    }),
  },
});

export function validateConfigMap(configMap: ConfigMap): FieldError[] {
  const { data = {}, binaryData = {} } = configMap;
  const errors = metadataErrors(configMap, {
    namespaced: true,
    validateName: validateDnsSubdomainName,
  });
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...validateDataKey(root('data'), key));
    if (Object.hasOwn(binaryData, key)) {
      const detail = 'duplicate of key present in binaryData';
      errors.push(fieldError.invalid(root('data').key(key), key, detail));
    }
    bytes += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...validateDataKey(root('binaryData'), key));
    bytes += decodedBytes(value);
  }
  // The error is about the whole object: an empty path prints as `[]`.
  if (bytes > dataBytesMax) errors.push(fieldError.tooLong(root('[]'), dataBytesMax));
  return errors;
}

function validateUnchanged(next: ConfigMap, live: ConfigMap): FieldError[] {
  if (!live.immutable) return [];
  const errors: FieldError[] = [];
  if (!next.immutable) errors.push(fieldError.forbidden(root('immutable'), immutableWhenSet));
  for (const field of ['data', 'binaryData'] as const) {
    if (!isDeepStrictEqual(next[field], live[field])) {
      errors.push(fieldError.forbidden(root(field), immutableWhenSet));
    }
  }
  return errors;
}
