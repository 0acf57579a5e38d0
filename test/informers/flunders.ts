/** The objects that are changed and followed. */
import type { KubeObject } from '@tributary/apimachinery';
import { objectKey, type ResourceType } from '@tributary/client';
import { contentHash } from './content-hash.ts';
import type { Item } from './history.ts';

export const FLUNDERS = {
  group: 'wardle.example.com',
  version: 'v1alpha1',
  plural: 'flunders',
  namespaced: true,
} as const satisfies ResourceType;

export const API_VERSION = `${FLUNDERS.group}/${FLUNDERS.version}`;
export const KIND = 'Flunder';

export interface Flunder extends KubeObject {
  spec: { reference?: string; referenceType?: string };
}

/** The watched part of objects: all, or only their metadata. */
export type Part = 'whole' | 'metadata';

export function itemOf(object: KubeObject, part: Part = 'whole'): Item {
  const { uid = '', resourceVersion = '' } = object.metadata;
  const content = part === 'metadata' ? { metadata: object.metadata } : object;
  return {
    key: objectKey(object),
    uid,
    version: Number(resourceVersion),
    hash: contentHash(content),
  };
}
