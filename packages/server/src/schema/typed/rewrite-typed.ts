import type { KubeObject } from '@tributary/apimachinery';
import { decodeTyped } from './decode-typed.ts';
import type { GoStructType } from './go-type.ts';

/**
 * Brings, in place, what a program has made of an object into the form in which Go writes it. Throws for values of
 * wrong types, which are the program's mistake. The metadata is not looked at: an empty list in it may mean something.
 */
export function rewriteTyped(object: KubeObject, struct: GoStructType): void {
  const { metadata, ...fields } = object;
  const written = decodeTyped(fields, struct).object;
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, { ...written, metadata });
}
