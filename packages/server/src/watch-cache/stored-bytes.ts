import { startsWith } from './splice.ts';
import type { CachedResource } from './types.ts';

type StoredShape = Pick<CachedResource, 'head' | 'otherHeads' | 'upgrade' | 'pruneAndDefault'>;

/**
 * A stored value in its current form: of a known version, pruned and defaulted. Throws for a value that cannot be
 * decoded.
 */
export function currentBytes(shape: StoredShape, value: Uint8Array): Uint8Array {
  const { upgrade, pruneAndDefault } = shape;
  const isKnown = findHead(shape, value) !== undefined;
  const current = isKnown || upgrade === undefined ? value : upgrade(value);
  if (findHead(shape, current) === undefined) {
    throw new Error('the bytes do not begin as this kind of object does');
  }
  return pruneAndDefault === undefined ? current : pruneAndDefault(current);
}

/** Whether the value would be stored differently today: the next write then happens even if it changes nothing. */
export function isOutdated(shape: StoredShape, value: Uint8Array, current: Uint8Array): boolean {
  return current !== value || !startsWith(value, shape.head);
}

/** The position of the first field of the metadata. */
export function headLength(shape: StoredShape, value: Uint8Array): number {
  return (findHead(shape, value) ?? shape.head).length;
}

function findHead(
  { head, otherHeads }: Pick<StoredShape, 'head' | 'otherHeads'>,
  value: Uint8Array,
): Uint8Array | undefined {
  return startsWith(value, head) ? head : otherHeads?.find((other) => startsWith(value, other));
}
