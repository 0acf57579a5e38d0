import { startsWith } from './splice.ts';
import type { CachedResource } from './types.ts';

type StoredShape = Pick<CachedResource, 'head' | 'otherHeads' | 'upgrade' | 'settle'>;

/** A stored value as it is read now: of a version that is known, and in shape. Throws for what cannot be read. */
export function currentBytes(shape: StoredShape, value: Uint8Array): Uint8Array {
  const { upgrade, settle } = shape;
  const isKnown = findHead(shape, value) !== undefined;
  const current = isKnown || upgrade === undefined ? value : upgrade(value);
  if (findHead(shape, current) === undefined) {
    throw new Error('the bytes do not begin as this kind of object does');
  }
  return settle === undefined ? current : settle(current);
}

/** Whether the value would be stored otherwise today: the next write happens even when it would change nothing. */
export function isOutdated(shape: StoredShape, value: Uint8Array, current: Uint8Array): boolean {
  return current !== value || !startsWith(value, shape.head);
}

/** Where the first field of the metadata begins. */
export function headLength(shape: StoredShape, value: Uint8Array): number {
  return (findHead(shape, value) ?? shape.head).length;
}

function findHead(
  { head, otherHeads }: Pick<StoredShape, 'head' | 'otherHeads'>,
  value: Uint8Array,
): Uint8Array | undefined {
  return startsWith(value, head) ? head : otherHeads?.find((other) => startsWith(value, other));
}
