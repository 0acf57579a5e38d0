/** The order of Go's `sort.Strings`, which compares bytes of UTF-8. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
