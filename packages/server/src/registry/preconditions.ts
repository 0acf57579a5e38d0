import {
  conflict,
  fieldError,
  invalid,
  type KubeObject,
  objectModified,
  parseObjectResourceVersion,
  root,
  type StatusError,
} from '@tributary/apimachinery';
import type { Revision } from '@tributary/storage';
import type { PreconditionMismatch } from '../definition/lifecycle.ts';
import { type ObjectName, objectKeyPath } from './object-name.ts';
import type { Strategy } from './strategy.ts';
import type { Preconditions } from './write-options.ts';

/** Optimistic locking: an update with the resourceVersion of an earlier state is a conflict. */
export function checkResourceVersion(
  sent: KubeObject,
  { name, revision }: { readonly name: string; readonly revision: Revision },
  { resource, allowUnconditionalUpdate }: Strategy,
): void {
  const seen = parseObjectResourceVersion(sent.metadata.resourceVersion ?? '');
  if (seen === 0) {
    if (allowUnconditionalUpdate) return;
    // Upstream has the resource in the place of the kind, and clients match the message.
    const kind = { group: resource.group, kind: resource.resource };
    const path = root('metadata', 'resourceVersion');
    throw invalid(kind, name, [fieldError.invalid(path, 0, 'must be specified for an update')]);
  }
  if (seen !== revision) throw conflict(resource, name, objectModified);
}

/** Throws when an update is for another object of the same name; `live` is undefined when there is none. */
export function checkUid(
  name: ObjectName,
  live: KubeObject | undefined,
  { uid }: Preconditions,
  strategy: Strategy,
): void {
  const found = live?.metadata.uid ?? '';
  if (uid === undefined || uid === found) return;
  const { resource, errorKeyPrefix } = strategy;
  throw conflict(
    resource,
    name.name,
    `StorageError: invalid object, Code: 4, Key: ${errorKeyPrefix}${objectKeyPath(strategy, name)}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${found}`,
  );
}

export function checkDeletePreconditions(
  { metadata }: KubeObject,
  wanted: Preconditions,
  strategy: Strategy,
): void {
  const { name = '', uid = '', resourceVersion = '' } = metadata;
  if (wanted.uid !== undefined && wanted.uid !== uid) {
    const mismatch = { field: 'UID', wanted: wanted.uid, found: uid } as const;
    throw preconditionFailed(name, { ...mismatch, why: 'deleted and then recreated' }, strategy);
  }
  if (wanted.resourceVersion !== undefined && wanted.resourceVersion !== resourceVersion) {
    const mismatch = { wanted: wanted.resourceVersion, found: resourceVersion };
    const field = 'ResourceVersion';
    throw preconditionFailed(name, { field, ...mismatch, why: 'modified' }, strategy);
  }
}

function preconditionFailed(
  name: string,
  { why, ...mismatch }: PreconditionMismatch & { readonly why: string },
  { kind, resource, lifecycle }: Strategy,
): StatusError {
  const message = lifecycle.preconditionMismatch?.(mismatch);
  if (message !== undefined) return conflict(resource, name, message);
  const { field, wanted, found } = mismatch;
  // As upstream, the kind is in the place where other conflicts have the resource.
  return conflict(
    { group: kind.group, resource: kind.kind },
    name,
    `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${found}). The object might have been ${why}`,
  );
}
