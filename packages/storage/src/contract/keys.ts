/**
 * The order of keys everywhere: that of their UTF-8 bytes. UTF-16 units sort the same way except
 * that surrogates (characters beyond U+FFFF) stand below U+E000…U+FFFF and must stand above.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right)
      return left < 0xd800 || right < 0xd800 ? left - right : rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** The same order, seven times faster, when at least one of the keys is plain: native comparison uses UTF-16 units. */
export function comparePlainKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Plain keys have no character from the surrogates on, where the two orders differ. */
export function isPlainKey(key: string): boolean {
  return !/[\ud800-\uffff]/.test(key);
}

/**
 * Accepts keys that every engine can store: PostgreSQL has no U+0000 in its text, and a lone surrogate has no UTF-8
 * form, so that two keys could become one.
 */
export function assertKey(key: string): void {
  if (key === '') throw new TypeError('a key must not be empty');
  if (key.includes('\0') || !key.isWellFormed()) {
    throw new TypeError(`not a key, it has U+0000 or a lone surrogate: ${JSON.stringify(key)}`);
  }
}

/** Prefixes are well-formed like keys and may be empty. */
export function assertPrefix(prefix: string): void {
  if (!prefix.isWellFormed()) {
    throw new TypeError(`not a prefix, it has a lone surrogate: ${JSON.stringify(prefix)}`);
  }
}

/** The first key after all keys with the prefix; undefined when they extend to the end. */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters: U+E000 follows U+D7FF.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}
