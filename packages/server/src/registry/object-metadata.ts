import { randomInt, randomUUID } from 'node:crypto';
import type { KubeObject, ObjectMeta } from '@tributary/apimachinery';
import { formatTime, plainError } from '@tributary/apimachinery';

/** Where objects get what must not be predictable or depends on the time; tests pass their own. */
export interface Identity {
  /** A fresh RFC 4122 version 4 uid. */
  readonly uid: () => string;
  /** The random part of a generated name. */
  readonly nameSuffix: () => string;
  readonly nowMs: () => number;
}

/** A generated name stays within a DNS label with its suffix of five. */
const GENERATED_BASE_MAX = 58;

/** Fields that belong to the server: what a client sends in them on create is dropped. */
export function wipeSystemFields(metadata: ObjectMeta): ObjectMeta {
  const {
    uid: _uid,
    creationTimestamp: _created,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    ...kept
  } = metadata;
  const { selfLink: _selfLink, ...rest } = kept as typeof kept & { selfLink?: unknown };
  return rest;
}

/** The metadata of a new object: an own name, uid and time of creation. */
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

/** What an update may not change is taken from the stored object, silently, as upstream does. */
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

/** Letters and digits that cannot form a word, as upstream has them. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export const systemIdentity: Identity = {
  uid: randomUUID,
  nameSuffix: () =>
    Array.from({ length: 5 }, () => NAME_ALPHABET[randomInt(NAME_ALPHABET.length)]).join(''),
  nowMs: () => Date.now(),
};
