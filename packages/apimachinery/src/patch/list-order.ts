/**
 * The order of a merged list. Elements of the patch follow its order, or that of `$setElementOrder`; the others retain
 * theirs and are inserted between them by their live position. Linear except for sorting: positions come from maps.
 */
import { isJsonObject } from '../json/json-object.ts';
import { goTypeName } from '../values/go-print.ts';
import { requireMergeKey } from './patch-value.ts';
import { missingMergeKey, plain, wrongType } from './strategic-merge-patch-error.ts';

export type ElementKind = 'map' | 'scalar';

export interface ListParts {
  readonly patchItems: unknown[];
  readonly serverOnlyItems: unknown[];
}

/** Splits elements into those that occur in `by` and the others. */
export function partition(
  elements: readonly unknown[],
  by: readonly unknown[],
  mergeKey: string,
): ListParts {
  const isNamed = mergeKey === '' ? namedScalars(by) : namedMaps(by, mergeKey);
  const patchItems: unknown[] = [];
  const serverOnlyItems: unknown[] = [];
  for (const element of elements) (isNamed(element) ? patchItems : serverOnlyItems).push(element);
  return { patchItems, serverOnlyItems };
}

export interface Arrangement {
  readonly order: readonly unknown[];
  readonly serverOrder: readonly unknown[];
  readonly mergeKey: string;
  readonly kind: ElementKind;
}

export function arrange(parts: ListParts, arrangement: Arrangement): unknown[] {
  const { order, serverOrder, mergeKey, kind } = arrangement;
  const keyOf = kind === 'map' ? mapKey(mergeKey) : (element: unknown) => element;
  const sort = (items: unknown[], by: readonly unknown[]) => {
    if (kind === 'map') requireMergeKeys([items, by], mergeKey);
    return sorted(items, keyOf, positionsOf(by, keyOf));
  };
  const patchItems = sort(parts.patchItems, order);
  const serverOnlyItems = sort(parts.serverOnlyItems, serverOrder);
  const positions = positionsOf(serverOrder, keyOf);
  return interleave(serverOnlyItems, patchItems, (element) => positions.get(keyOf(element)));
}

type KeyOf = (element: unknown) => unknown;

function namedScalars(by: readonly unknown[]): (element: unknown) => boolean {
  const names = new Set(by.map(hashable));
  return (element) => names.has(hashable(element));
}

/** A list or a map as the key of a Go map panics upstream. */
function hashable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  throw plain(`hash of unhashable type: ${goTypeName(value)}`);
}

function namedMaps(by: readonly unknown[], mergeKey: string): (element: unknown) => boolean {
  const firstOther = by.findIndex((one) => !isJsonObject(one));
  const maps = firstOther === -1 ? by : by.slice(0, firstOther);
  const names = new Set<unknown>();
  for (const one of maps) {
    if (isJsonObject(one) && Object.hasOwn(one, mergeKey)) names.add(one[mergeKey]);
  }
  return (element) => {
    if (!isJsonObject(element)) throw wrongType('map', element);
    if (names.has(requireMergeKey(element, mergeKey))) return true;
    if (firstOther >= 0) throw plain(`value for key ${firstOther} is not a map`);
    return false;
  };
}

function mapKey(mergeKey: string): KeyOf {
  return (element) =>
    isJsonObject(element) && Object.hasOwn(element, mergeKey) ? element[mergeKey] : null;
}

function requireMergeKeys(lists: readonly (readonly unknown[])[], mergeKey: string): void {
  for (const element of lists.flat(1)) {
    if (!isJsonObject(element)) throw wrongType('map', element);
    if (!Object.hasOwn(element, mergeKey)) throw missingMergeKey(element, mergeKey);
  }
}

/** The first position of each key. */
function positionsOf(list: readonly unknown[], keyOf: KeyOf): Map<unknown, number> {
  const positions = new Map<unknown, number>();
  for (const [position, element] of list.entries()) {
    const key = keyOf(element);
    if (!positions.has(key)) positions.set(key, position);
  }
  return positions;
}

/** Elements with `$patch: delete` stay at the end: they occur in lists that are replaced, not merged. */
function sorted(
  items: readonly unknown[],
  keyOf: KeyOf,
  positions: ReadonlyMap<unknown, number>,
): unknown[] {
  const isMarked = (item: unknown) => isJsonObject(item) && item.$patch === 'delete';
  const marked = items.filter(isMarked);
  const ranked = items
    .filter((item) => !isMarked(item))
    .map((item) => ({ item, position: positions.get(keyOf(item)) }));
  const inOrder = ranked.every(({ position }) => position !== undefined)
    ? ranked.sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
    : sortedWithUnknown(ranked);
  return [...inOrder.map(({ item }) => item), ...marked];
}

interface Ranked {
  readonly item: unknown;
  readonly position: number | undefined;
}

/** Go's sort uses insertion sort up to this many elements. */
const insertionMax = 20;

/**
 * Upstream compares an element without a position as less than every other, which is not an order. Short lists
 * reproduce the result of Go's sort; in longer ones such elements come first, in reverse order.
 */
function sortedWithUnknown(ranked: readonly Ranked[]): readonly Ranked[] {
  if (ranked.length > insertionMax) {
    const unknown = ranked.filter(({ position }) => position === undefined);
    const known = ranked.filter(({ position }) => position !== undefined);
    return [...unknown.reverse(), ...known.sort((a, b) => (a.position ?? 0) - (b.position ?? 0))];
  }
  const result: Ranked[] = [];
  for (const one of ranked) {
    const isLess = (other: Ranked) =>
      one.position === undefined || other.position === undefined || one.position < other.position;
    result.splice(result.findLastIndex((other) => !isLess(other)) + 1, 0, one);
  }
  return result;
}

/** Inserts a live element before one of the patch only if both have a live position and its own is smaller. */
function interleave(
  serverOnly: readonly unknown[],
  patchItems: readonly unknown[],
  positionOf: (element: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of patchItems) {
    const position = positionOf(item) ?? Number.NEGATIVE_INFINITY;
    while (next < serverOnly.length) {
      const candidate = positionOf(serverOnly[next]) ?? Number.POSITIVE_INFINITY;
      if (!(candidate < position)) break;
      result.push(serverOnly[next]);
      next += 1;
    }
    result.push(item);
  }
  for (; next < serverOnly.length; next += 1) result.push(serverOnly[next]);
  return result;
}
