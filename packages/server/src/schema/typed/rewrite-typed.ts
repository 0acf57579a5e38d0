import type { KubeObject } from '@tributary/apimachinery';
import { decodeTyped } from './decode-typed.ts';
import type { GoStructType } from './go-type.ts';

/**
 * Converts an object that hooks have changed to the form of Go's encoding, in place. Throws for values of wrong types,
 * which are an error of the hook. Metadata is left as it is: an empty list in it may have a meaning.
 */
export function rewriteTyped(object: KubeObject, struct: GoStructType): void {
  const { metadata, ...fields } = object;
  const written = decodeTyped(fields, struct).object;
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, { ...written, metadata });
}
