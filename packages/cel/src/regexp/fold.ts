/**
 * Letters that are the same without case, as Unicode's simple folding has them. JavaScript's upper and lower case give
 * most of it; the table has the orbits with a third member, and those whose upper case is more than one letter.
 */
const ORBITS: readonly string[] = [
  'Kk\u212a',
  'Ss\u017f',
  '\u00c5\u00e5\u212b',
  '\u00df\u1e9e',
  '\u0131',
  '\u0130',
  '\u01c4\u01c5\u01c6',
  '\u01c7\u01c8\u01c9',
  '\u01ca\u01cb\u01cc',
  '\u01f1\u01f2\u01f3',
  '\u0345\u0399\u03b9\u1fbe',
  '\u0392\u03b2\u03d0',
  '\u0395\u03b5\u03f5',
  '\u0398\u03b8\u03d1\u03f4',
  '\u039a\u03ba\u03f0',
  '\u00b5\u039c\u03bc',
  '\u03a0\u03c0\u03d6',
  '\u03a1\u03c1\u03f1',
  '\u03a3\u03c2\u03c3',
  '\u03a6\u03c6\u03d5',
  '\u03a9\u03c9\u2126',
  '\u0412\u0432\u1c80',
  '\u0414\u0434\u1c81',
  '\u041e\u043e\u1c82',
  '\u0421\u0441\u1c83',
  '\u0422\u0442\u1c84\u1c85',
  '\u042a\u044a\u1c86',
  '\u0462\u0463\u1c87',
  '\u1e60\u1e61\u1e9b',
  '\u1c88\ua64a\ua64b',
  '\u1fb3\u1fbc',
  '\u1fc3\u1fcc',
  '\u1ff3\u1ffc',
];

const SPECIAL: ReadonlyMap<number, readonly number[]> = new Map(
  ORBITS.flatMap((orbit) => {
    const members = [...orbit].map((letter) => letter.codePointAt(0) ?? 0);
    return members.map((member) => [member, members] as const);
  }),
);

/** Greek letters with an iota below, eight of each case after the other. */
const IOTA_FIRST = 0x1f80;
const IOTA_LAST = 0x1faf;

/** The letter and all that are equal to it without case. */
export function foldOrbit(point: number): readonly number[] {
  if (point < 0x80) return asciiOrbit(point);
  const special = SPECIAL.get(point);
  if (special !== undefined) return special;
  if (point >= IOTA_FIRST && point <= IOTA_LAST) return [point, point ^ 8];
  const letter = String.fromCodePoint(point);
  const other = onlyPoint(letter.toLowerCase()) ?? point;
  if (other !== point) return [point, other];
  const upper = onlyPoint(letter.toUpperCase()) ?? point;
  return upper === point ? [point] : [point, upper];
}

function asciiOrbit(point: number): readonly number[] {
  const special = SPECIAL.get(point);
  if (special !== undefined) return special;
  const lower = point | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? [lower, lower ^ 0x20] : [point];
}

function onlyPoint(text: string): number | undefined {
  const point = text.codePointAt(0);
  if (point === undefined) return undefined;
  return text.length === (point > 0xffff ? 2 : 1) ? point : undefined;
}
