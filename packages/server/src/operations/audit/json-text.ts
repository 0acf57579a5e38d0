import { goJson } from '@tributary/apimachinery';

/** Everything that Go's encoder writes in another way than it is. */
const SPECIAL = /[^ !#-%'-;=?-[\]-~]/;

/** A string as Go writes it. Nearly all are plain, and looking costs less than encoding. */
export function jsonText(text: string): string {
  return SPECIAL.test(text) ? goJson(text) : `"${text}"`;
}
