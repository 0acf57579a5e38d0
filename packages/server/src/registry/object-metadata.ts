import { randomInt, randomUUID } from 'node:crypto';
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import { formatTime, plainError } from '@tributary/apimachinery';

/** The source of unpredictable and time-dependent fields of objects; tests pass their own. */
export interface Identity {
  /** A new RFC 4122 version 4 UID. */
  readonly uid: () => string;
  /** The random part of a generated name. */
  readonly nameSuffix: () => string;
  readonly nowMs: () => number;
}

/** A generated name stays within a DNS label with its suffix of five. */
const GENERATED_BASE_MAX = 58;

/** Drops fields that the server sets: clients cannot set them on create. */
export function wipeSystemFields(metadata: ObjectMeta): ObjectMeta {
  const {
    uid: _uid,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    ...settable
  } = metadata;
  const { selfLink: _selfLink, ...rest } = settable as typeof settable & { selfLink?: unknown };
  return rest;
}

/** The metadata of a new object, with name, UID and creation time. */
export function fillSystemFields(object: KubeObject, identity: Identity): KubeObject {
  const { resourceVersion, ...metadata } = wipeSystemFields(object.metadata);
  if (resourceVersion) {
    throw plainError('resourceVersion should not be set on objects to be created');
  }
  const base = metadata.generateName ?? '';
  const name = metadata.name || (base === '' ? '' : generatedName(base, identity));
  return {
    ...object,
    metadata: {
      ...(name !== '' && { name }),
      ...withoutName(metadata),
      uid: identity.uid(),
      creationTimestamp: formatTime(identity.nowMs()),
    },
  };
}

/** Fields that an update cannot change are silently taken from the stored object, as upstream does. */
export function keepSystemFields(next: KubeObject, live: KubeObject): KubeObject {
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, uid, generation } =
    live.metadata;
  const metadata: ObjectMeta = {
    ...next.metadata,
    ...(next.metadata.uid === undefined && uid !== undefined && { uid }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(generation !== undefined && { generation }),
    ...(deletionTimestamp && { deletionTimestamp }),
    ...(deletionTimestamp &&
      next.metadata.deletionGracePeriodSeconds === undefined &&
      deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
  };
  if (generation === undefined) delete metadata.generation;
  return { ...next, metadata };
}

function generatedName(base: string, identity: Identity): string {
  return base.slice(0, GENERATED_BASE_MAX) + identity.nameSuffix();
}

function withoutName({ name: _name, ...rest }: ObjectMeta): ObjectMeta {
  return rest;
}

/** Upstream's letters and digits, which cannot form a word. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export const systemIdentity: Identity = {
  uid: randomUUID,
  nameSuffix: () =>
    Array.from({ length: 5 }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join(''),
  nowMs: () => Date.now(),
};
