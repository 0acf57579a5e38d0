import { isDeepStrictEqual } from 'node:util';
import { Secret } from '@tributary/api/core-v1';
import {
  type FieldError,
  fieldError,
  fieldImmutable,
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
import { secretTypeErrors } from './secret-types.ts';
import { keyPairWarnings } from './tls-key-pair.ts';

export const secretKind = defineResource({
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  versions: {
    v1: version({
      // Upstream treats an empty map as a change until something is stored.
      typed: distinguishingEmptyMaps(Secret, ['data']),
      columns: [
        {
          name: 'Type',
          description: 'The type of the secret',
          cell: ({ type = '' }) => type,
        },
        {
          name: 'Data',
          description: 'The number of keys',
          cell: ({ data = {} }) => Object.keys(data).length,
        },
      ],
      restrictsFieldLabels: true,
      selectableFields: ['type'],
      applyDefaults: (secret) => {
        encodeTexts(secret);
        secret.type ||= 'Opaque';
      },
      validate: validateSecret,
      validateUpdate: (next, live) => [
        ...metadataUpdateErrors(next, live),
        ...validateUnchanged(next, live),
        ...validateSecret(next),
      ],
      warnings: (secret) =>
        secret.type === 'kubernetes.io/tls' ? keyPairWarnings(secret.data ?? {}) : [],
    }),
  },
});

/** stringData overwrites data. */
function encodeTexts(secret: Secret): void {
  const texts = Object.entries(secret.stringData ?? {});
  delete secret.stringData;
  if (texts.length === 0) return;
  const encoded = texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')] as const);
  const data = [...new Map([...Object.entries(secret.data ?? {}), ...encoded])];
  // Object.fromEntries, because an assignment to the key `__proto__` would set the prototype.
  secret.data = Object.fromEntries(data.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function validateSecret(secret: Secret): FieldError[] {
  const path = root('data');
  const errors = metadataErrors(secret, {
    namespaced: true,
    validateName: validateDnsSubdomainName,
  });
  let bytes = 0;
  for (const [key, value] of Object.entries(secret.data ?? {})) {
    errors.push(...validateDataKey(path, key));
    bytes += decodedBytes(value);
  }
  if (bytes > dataBytesMax) errors.push(fieldError.tooLong(path, dataBytesMax));
  return [...errors, ...secretTypeErrors(secret)];
}

function validateUnchanged(next: Secret, live: Secret): FieldError[] {
  const errors: FieldError[] = [];
  if (next.type !== live.type) {
    errors.push(fieldError.invalid(root('type'), next.type ?? '', fieldImmutable));
  }
  if (!live.immutable) return errors;
  if (!next.immutable) errors.push(fieldError.forbidden(root('immutable'), immutableWhenSet));
  if (!isDeepStrictEqual(next.data, live.data)) {
    errors.push(fieldError.forbidden(root('data'), immutableWhenSet));
  }
  return errors;
}
