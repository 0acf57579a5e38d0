import { goJson } from '@tributary/apimachinery';

/** Characters that Go's encoder escapes. */
const SPECIAL = /[^ !#-%'-;=?-[\]-~]/;

/** A string as Go encodes it. Nearly all are plain, and testing for that costs less than encoding. */
export function jsonText(text: string): string {
  return SPECIAL.test(text) ? goJson(text) : `"${text}"`;
}
