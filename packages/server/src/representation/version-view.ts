import type { KubeObject } from '@tributary/apimachinery';
import type { Readable } from '../watch-cache/types.ts';

/** How stored objects look in one served version. */
export interface VersionView {
  /** JSON, made once per object and shared. */
  bytesOf(object: Readable): Uint8Array;
  /** Shared: not to be changed by anyone. */
  objectOf(object: Readable): KubeObject;
  /** The stored form of an object of this version. */
  toStorage(object: KubeObject): KubeObject;
  fromStorage(object: KubeObject): KubeObject;
}

/** The version in which objects are stored. */
export const storageView: VersionView = {
  bytesOf: ({ bytes }) => bytes,
  objectOf: (object) => object.object(),
  toStorage: (object) => object,
  fromStorage: (object) => object,
};
