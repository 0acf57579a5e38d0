import { isDeepStrictEqual } from 'node:util';
import { cloneJson } from '../json/clone-json.ts';
import { isJsonObject, type JsonObject, setMember } from '../json/json-object.ts';

/** Upstream's maximum number of operations. */
export const patchOperationsMax = 10_000;
/** Upstream's limit for all `copy` operations together, so that a small patch cannot create a huge document. */
const copiedBytesMax = 3 * 1024 * 1024;
/** The same limit in values: ten times the list of a large object, and a few milliseconds of copying. */
const copiedValuesMax = 50_000;
/** Limits the elements shifted by all insertions and removals: 10,000 of them in one long array would take seconds. */
const shiftedElementsMax = 20_000_000;

/** A patch cannot be applied. The Status of the response does not contain the message. */
export class JsonPatchError extends Error {}

type Container = JsonObject | unknown[];

/**
 * RFC 6902 with the deviations of kube-apiserver's library: `replace` of a missing field adds it, `test` of one against
 * null passes, and negative indices count from the end. Does not modify the document.
 */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): unknown {
  const patcher = new JsonPatcher(cloneJson(document));
  for (const operation of operations) patcher.apply(operation);
  return patcher.document;
}

class JsonPatcher {
  document: unknown;
  #copiedBytes = 0;
  #copiedValues = 0;
  #shifted = 0;

  constructor(document: unknown) {
    this.document = document;
  }

  apply(operation: unknown): void {
    if (!isJsonObject(operation)) throw new JsonPatchError('an operation must be an object');
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
    else throw new JsonPatchError(`cannot remove ${last}: it does not exist`);
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
    if (!isDeepStrictEqual(found, value)) throw new JsonPatchError('a test operation failed');
  }

  #copied(path: readonly string[]): unknown {
    const value = this.#get(path);
    this.#count(value);
    return cloneJson(value);
  }

  /** Counts the copied bytes and values; stops at the limit without visiting the rest. */
  #count(value: unknown): void {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const one = open.pop();
      this.#copiedValues += 1;
      if (Array.isArray(one)) {
        this.#copiedBytes += one.length + 2;
        this.#checkLimits(one.length);
        for (const element of one) open.push(element);
      } else if (isJsonObject(one)) {
        this.#copiedBytes += 2;
        for (const name of Object.keys(one)) {
          this.#copiedBytes += name.length + 4;
          open.push(one[name]);
        }
      } else {
        this.#copiedBytes += typeof one === 'string' ? one.length + 2 : String(one).length;
      }
      this.#checkLimits(open.length);
    }
  }

  #checkLimits(pendingValues: number): void {
    const values = this.#copiedValues + pendingValues;
    if (this.#copiedBytes > copiedBytesMax || values > copiedValuesMax) {
      throw new JsonPatchError('copy operations exceed the limit');
    }
  }

  #get(path: readonly string[]): unknown {
    const value = path.length === 0 ? this.document : this.#find(path);
    if (value === undefined) throw new JsonPatchError(`no value at path /${path.join('/')}`);
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
    let container: unknown = this.document;
    for (const segment of path.slice(0, -1)) {
      if (Array.isArray(container)) container = container[arrayIndex(segment, container.length)];
      else if (isJsonObject(container) && Object.hasOwn(container, segment))
        container = container[segment];
      else container = undefined;
    }
    if (!Array.isArray(container) && !isJsonObject(container)) {
      throw new JsonPatchError(`no object or array at the parent of /${path.join('/')}`);
    }
    return { container, last };
  }

  #shift(elements: number): void {
    this.#shifted += elements;
    if (this.#shifted > shiftedElementsMax) {
      throw new JsonPatchError('array insertions and removals exceed the limit');
    }
  }
}

function pointer(text: unknown, field: 'path' | 'from'): string[] {
  if (typeof text !== 'string') throw new JsonPatchError(`${field} is missing`);
  if (text === '') return [];
  if (!text.startsWith('/')) throw new JsonPatchError(`${field} must begin with a slash`);
  return text
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Parses an index below `length`; a negative one counts from the end. */
function arrayIndex(text: string, length: number): number {
  const index = /^[+-]?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  const absolute = index < 0 ? index + length : index;
  if (!(absolute >= 0 && absolute < length)) throw new JsonPatchError(`invalid index: ${text}`);
  return absolute;
}

function requiredValue(operation: JsonObject): unknown {
  if (!Object.hasOwn(operation, 'value')) throw new JsonPatchError('value is missing');
  return operation.value;
}
