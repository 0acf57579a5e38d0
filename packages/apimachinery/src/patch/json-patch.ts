import { isDeepStrictEqual } from 'node:util';
import { cloneJson } from '../json/clone-json.ts';
import { setMember } from '../json/set-member.ts';

/** As upstream: more operations are refused before anything is done. */
export const patchOperationsMax = 10_000;
/** As upstream: what `copy` adds in all, so that a small patch cannot make a huge document. */
const copiedBytesMax = 3 * 1024 * 1024;
/** What it adds in values: ten times what a list of a large object has, and a few milliseconds of copying. */
const copiedValuesMax = 50_000;
/** Elements that insertions and removals may shift in all: ten thousand of them in one long array would take seconds. */
const shiftedElementsMax = 20_000_000;

/** A patch that cannot be applied; clients are told that it failed, not why. */
export class JsonPatchError extends Error {}

type Container = Record<string, unknown> | unknown[];

/**
 * RFC 6902 as the library of the reference server applies it: `replace` of a missing field adds it, `test` of one
 * against null passes, and negative indices count from the end. The document itself is not changed.
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const patching = new Patching(cloneJson(document));
  for (const operation of operations) patching.apply(operation);
  return patching.document;
}

class Patching {
  document: unknown;
  #copiedBytes = 0;
  #copiedValues = 0;
  #shifted = 0;

  constructor(document: unknown) {
    this.document = document;
  }

  apply(operation: unknown): void {
    if (!isObject(operation)) throw new JsonPatchError('an operation is an object');
    const path = pointer(operation.path, 'path');
    switch (operation.op) {
      case 'add':
        this.#add(path, requiredValue(operation));
        break;
      case 'remove':
        this.#remove(path);
        break;
      case 'replace':
        this.#replace(path, requiredValue(operation));
        break;
      case 'move':
        this.#move(pointer(operation.from, 'from'), path);
        break;
      case 'copy':
        this.#add(path, this.#copied(pointer(operation.from, 'from')));
        break;
      case 'test':
        this.#test(path, operation.value ?? null);
        break;
      default:
        throw new JsonPatchError(`unknown operation ${String(operation.op)}`);
    }
  }

  #move(from: readonly string[], path: readonly string[]): void {
    const moved = this.#get(from);
    this.#remove(from);
    this.#add(path, moved);
  }

  #add(path: readonly string[], value: unknown): void {
    const { container, last } = this.#parent(path);
    if (!Array.isArray(container)) {
      setMember(container, last, value);
      return;
    }
    const index = last === '-' ? container.length : arrayIndex(last, container.length + 1);
    this.#shift(container.length - index);
    container.splice(index, 0, value);
  }

  #remove(path: readonly string[]): void {
    const { container, last } = this.#parent(path);
    if (Array.isArray(container)) {
      const index = arrayIndex(last, container.length);
      this.#shift(container.length - index);
      container.splice(index, 1);
    } else if (Object.hasOwn(container, last)) delete container[last];
    else throw new JsonPatchError(`${last}: there is nothing to remove`);
  }

  #replace(path: readonly string[], value: unknown): void {
    if (path.length === 0) {
      this.document = value;
      return;
    }
    const { container, last } = this.#parent(path);
    if (Array.isArray(container)) container[arrayIndex(last, container.length)] = value;
    else setMember(container, last, value);
  }

  #test(path: readonly string[], value: unknown): void {
    const found = path.length === 0 ? this.document : (this.#find(path) ?? null);
    if (!isDeepStrictEqual(found, value)) throw new JsonPatchError('a test failed');
  }

  #copied(path: readonly string[]): unknown {
    const value = this.#get(path);
    this.#count(value);
    return cloneJson(value);
  }

  /** Stops at the bound, however much there is. */
  #count(value: unknown): void {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const one = open.pop();
      this.#copiedValues += 1;
      if (Array.isArray(one)) {
        this.#copiedBytes += one.length + 2;
        this.#requireFew(one.length);
        for (const element of one) open.push(element);
      } else if (isObject(one)) {
        this.#copiedBytes += 2;
        for (const name of Object.keys(one)) {
          this.#copiedBytes += name.length + 4;
          open.push(one[name]);
        }
      } else {
        this.#copiedBytes += typeof one === 'string' ? one.length + 2 : String(one).length;
      }
      this.#requireFew(open.length);
    }
  }

  #requireFew(more: number): void {
    if (this.#copiedBytes > copiedBytesMax || this.#copiedValues + more > copiedValuesMax) {
      throw new JsonPatchError('too much is copied');
    }
  }

  #get(path: readonly string[]): unknown {
    const value = path.length === 0 ? this.document : this.#find(path);
    if (value === undefined) throw new JsonPatchError('there is nothing at this path');
    return value;
  }

  #find(path: readonly string[]): unknown {
    const { container, last } = this.#parent(path);
    if (Array.isArray(container)) return container[arrayIndex(last, container.length)];
    return Object.hasOwn(container, last) ? container[last] : undefined;
  }

  #parent(path: readonly string[]): { container: Container; last: string } {
    const last = path.at(-1);
    if (last === undefined) throw new JsonPatchError('the whole document can only be replaced');
    let at: unknown = this.document;
    for (const segment of path.slice(0, -1)) {
      if (Array.isArray(at)) at = at[arrayIndex(segment, at.length)];
      else at = isObject(at) && Object.hasOwn(at, segment) ? at[segment] : undefined;
    }
    if (!Array.isArray(at) && !isObject(at)) throw new JsonPatchError('the path leads nowhere');
    return { container: at, last };
  }

  #shift(elements: number): void {
    this.#shifted += elements;
    if (this.#shifted > shiftedElementsMax) throw new JsonPatchError('too much is shifted');
  }
}

function pointer(text: unknown, what: string): string[] {
  if (typeof text !== 'string') throw new JsonPatchError(`${what} is missing`);
  if (text === '') return [];
  if (!text.startsWith('/')) throw new JsonPatchError(`${what} must begin with a slash`);
  return text
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** An index below `length`, which for additions is one more than there are elements. */
function arrayIndex(text: string, length: number): number {
  const index = /^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const absolute = index < 0 ? index + length : index;
  if (!(absolute >= 0 && absolute < length)) throw new JsonPatchError(`${text} is no index here`);
  return absolute;
}

function requiredValue(operation: Record<string, unknown>): unknown {
  if (!Object.hasOwn(operation, 'value')) throw new JsonPatchError('value is missing');
  return operation.value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
