/**
 * The key order of Go's library: letters after all other characters, digits by their numeric value, so that `a2` comes
 * before `a10`.
 */
export function compareYamlKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
  return isAsciiLetter(a) && isAsciiLetter(b) ? a - b : compareCharacters(one, other);
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function compareCharacters(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [left[at] ?? '', right[at] ?? ''];
    if (a !== b) return compareFrom(left, right, at) || codePoint(a) - codePoint(b);
  }
  return left.length - right.length;
}

function compareFrom(left: readonly string[], right: readonly string[], at: number): number {
  const [a, b] = [left[at] ?? '', right[at] ?? ''];
  const [aIsLetter, bIsLetter] = [letter.test(a), letter.test(b)];
  if (aIsLetter !== bIsLetter) return aIsLetter ? 1 : -1;
  if (aIsLetter) return 0;
  // A zero after digits that are not all zeros is not a leading zero.
  const isContinued = (a === '0' || b === '0') && followsNumber(left, at);
  const [aNumber, bNumber] = [numberAt(left, at, isContinued), numberAt(right, at, isContinued)];
  if (aNumber.value !== bNumber.value) return aNumber.value < bNumber.value ? -1 : 1;
  return aNumber.end - bNumber.end;
}

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

function followsNumber(text: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && digit.test(text[before] ?? ''); before -= 1) {
    if (text[before] !== '0') return true;
  }
  return false;
}

function numberAt(
  text: readonly string[],
  at: number,
  isContinued: boolean,
): { value: bigint; end: number } {
  let value = isContinued ? 1n : 0n;
  let end = at;
  for (; end < text.length && digit.test(text[end] ?? ''); end += 1) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codePoint(text[end] ?? '') - 0x30));
  }
  return { value, end };
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
