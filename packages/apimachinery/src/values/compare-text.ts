/** Compares strings by code points, which is the order of their UTF-8 bytes and so that of Go strings. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (unitA !== unitB) return codePointRank(unitA) - codePointRank(unitB);
  }
  return a.length - b.length;
}

/** Surrogates encode code points above the basic plane, but are smaller than some of its units. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
