import { type Decoded, decodeGoStruct, type GoStruct } from '../json/go-struct.ts';
import type { ManagedFieldsEntry, ObjectMeta } from './object.ts';

/**
 * Decodes `metadata` of a document. A field of the wrong type throws a `GoTypeError` with the message of
 * kube-apiserver, which contains `kind`.
 */
export function decodeObjectMeta(document: unknown, kind: string): ObjectMeta {
  const object = {
    type: `v1.${kind}`,
    fields: { metadata: { kind: 'struct', struct: objectMeta } },
  } as const;
  const { metadata = {} } = decodeGoStruct(document, object);
  const { generation, deletionGracePeriodSeconds, managedFields, ownerReferences, ...fields } =
    metadata;
  return {
    ...fields,
    ...(generation !== undefined && { generation: Number(generation) }),
    ...(deletionGracePeriodSeconds !== undefined && {
      deletionGracePeriodSeconds: Number(deletionGracePeriodSeconds),
    }),
    ...(ownerReferences !== undefined && {
      ownerReferences: ownerReferences.map((reference) => ({ ...EMPTY_REFERENCE, ...reference })),
    }),
    ...(managedFields !== undefined && { managedFields: managedFields.map(entryOf) }),
  };
}

const EMPTY_REFERENCE = { apiVersion: '', kind: '', name: '', uid: '' };

/** Validation rejects unknown operations later, with a message that lists the known ones. */
function entryOf(entry: Decoded<typeof managedFieldsEntry>): ManagedFieldsEntry {
  return entry as ManagedFieldsEntry;
}

const string = { kind: 'string' } as const;

const ownerReference = {
  type: 'v1.OwnerReference',
  fields: {
    apiVersion: string,
    kind: string,
    name: string,
    uid: { kind: 'string', type: 'types.UID' },
    controller: { kind: 'bool' },
    blockOwnerDeletion: { kind: 'bool' },
  },
} as const satisfies GoStruct;

const managedFieldsEntry = {
  type: 'v1.ManagedFieldsEntry',
  fields: {
    manager: string,
    operation: { kind: 'string', type: 'v1.ManagedFieldsOperationType' },
    apiVersion: string,
    time: { kind: 'time' },
    fieldsType: string,
    fieldsV1: { kind: 'any' },
    subresource: string,
  },
} as const satisfies GoStruct;

const objectMeta = {
  type: 'v1.ObjectMeta',
  fields: {
    name: string,
    generateName: string,
    namespace: string,
    uid: { kind: 'string', type: 'types.UID' },
    resourceVersion: string,
    generation: { kind: 'int64' },
    creationTimestamp: { kind: 'time' },
    deletionTimestamp: { kind: 'time' },
    deletionGracePeriodSeconds: { kind: 'int64' },
    labels: { kind: 'stringMap' },
    annotations: { kind: 'stringMap' },
    ownerReferences: { kind: 'structs', struct: ownerReference },
    finalizers: { kind: 'strings' },
    managedFields: { kind: 'structs', struct: managedFieldsEntry },
  },
} as const satisfies GoStruct;
