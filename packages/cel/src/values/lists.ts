import type { ListValue, Result, Value } from './value.ts';

/** A list over an array that does not change any more. */
export function arrayList(elements: readonly Value[]): ListValue {
  return { kind: 'list', size: elements.length, at: (index) => elements[index] as Value };
}

export const EMPTY_LIST: ListValue = arrayList([]);

/** Both lists after each other, without a copy: as upstream, adding costs the same for any length. */
export function concatenated(left: ListValue, right: ListValue): ListValue {
  if (left.size === 0) {
    return right;
  }
  if (right.size === 0) {
    return left;
  }
  return {
    kind: 'list',
    size: left.size + right.size,
    at: (index) => (index < left.size ? left.at(index) : right.at(index - left.size)),
  };
}

/** The list a loop collects into. Only the loop's own accumulator holds it, so it may grow in place. */
export class GrowingList implements ListValue {
  readonly kind = 'list';
  readonly #elements: Result[] = [];

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Result {
    return this.#elements[index] as Result;
  }

  append(list: ListValue): void {
    for (let index = 0; index < list.size; index++) {
      this.#elements.push(list.at(index));
    }
  }
}
