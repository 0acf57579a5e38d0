/**
 * The unified diff of two texts with three lines of context, as upstream shows changes. It uses Ratcliff and
 * Obershelp's longest common blocks, like upstream: another algorithm would show other lines.
 */
const CONTEXT = 3;
/** In texts of this many lines, a line that is more than a hundredth of them starts no block. */
const LONG = 200;
/** The bound of steps, a few milliseconds, for texts made to be slow; there is no diff then. */
const STEPS_MAX = 150_000;

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Range {
  readonly isSame: boolean;
  readonly a: number;
  readonly aEnd: number;
  readonly b: number;
  readonly bEnd: number;
}

export function lineDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  const blocks = matchingBlocks(a, b);
  if (blocks === undefined) return '';
  return groupsOf(rangesOf(blocks))
    .map((group) => groupText(group, a, b))
    .join('');
}

function groupText(group: readonly Range[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return '';
  const lines = group.flatMap((range) => {
    const removed = a.slice(range.a, range.aEnd);
    if (range.isSame) return removed.map((line) => ` ${line}`);
    const added = b.slice(range.b, range.bEnd);
    return [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  });
  const head = `@@ -${rangeText(first.a, last.aEnd)} +${rangeText(first.b, last.bEnd)} @@`;
  return [head, ...lines].map((line) => `${line}\n`).join('');
}

/** Lines are counted from one; an empty range is at the line before it. */
function rangeText(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Changes with their context; those that are far apart are separate groups. */
function groupsOf(ranges: readonly Range[]): Range[][] {
  const groups: Range[][] = [];
  let group: Range[] = [];
  for (const [index, range] of ranges.entries()) {
    if (!range.isSame) {
      group.push(range);
      continue;
    }
    const { a, aEnd, b, bEnd } = range;
    const head = { ...range, aEnd: Math.min(aEnd, a + CONTEXT), bEnd: Math.min(bEnd, b + CONTEXT) };
    const tail = { ...range, a: Math.max(a, aEnd - CONTEXT), b: Math.max(b, bEnd - CONTEXT) };
    if (index === 0) group.push(tail);
    else if (index === ranges.length - 1) group.push(head);
    else if (aEnd - a <= 2 * CONTEXT) group.push(range);
    else {
      groups.push([...group, head]);
      group = [tail];
    }
  }
  return group.some(({ isSame }) => !isSame) ? [...groups, group] : groups;
}

function rangesOf(blocks: readonly Block[]): Range[] {
  const ranges: Range[] = [];
  let [a, b] = [0, 0];
  for (const block of blocks) {
    if (a < block.a || b < block.b) {
      ranges.push({ isSame: false, a, aEnd: block.a, b, bEnd: block.b });
    }
    [a, b] = [block.a + block.size, block.b + block.size];
    if (block.size > 0) ranges.push({ isSame: true, a: block.a, aEnd: a, b: block.b, bEnd: b });
  }
  return ranges;
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
  /** The positions of a line in `b`. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  steps: number;
}

/** In order, with adjacent blocks joined and an empty block at the end of both; undefined when the bound is reached. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] | undefined {
  const texts: Texts = { a, b, places: placesOf(b), steps: 0 };
  const found: Block[] = [];
  const whole = [
    { a: 0, b: 0, size: 0 },
    { a: a.length, b: b.length, size: 0 },
  ] as const;
  const pending: (readonly [Block, Block])[] = [whole];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to] = next;
    const match = longestMatch(texts, from, to);
    if (texts.steps > STEPS_MAX) return undefined;
    if (match.size === 0) continue;
    found.push(match);
    const end = { a: match.a + match.size, b: match.b + match.size, size: 0 };
    if (from.a < match.a && from.b < match.b) pending.push([from, match]);
    if (end.a < to.a && end.b < to.b) pending.push([end, to]);
  }
  found.sort((one, other) => one.a - other.a);
  const joined: Block[] = [];
  for (const block of found) {
    const last = joined.at(-1);
    if (last && last.a + last.size === block.a && last.b + last.size === block.b) {
      joined[joined.length - 1] = { ...last, size: last.size + block.size };
    } else joined.push(block);
  }
  return [...joined, { a: a.length, b: b.length, size: 0 }];
}

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known) known.push(index);
    else places.set(line, [index]);
  }
  if (lines.length < LONG) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, indexes]) => indexes.length <= most));
}

/** The first of the longest blocks between two positions. */
function longestMatch(texts: Texts, from: Block, to: Block): Block {
  const { a, b, places } = texts;
  let best: Block = { a: from.a, b: from.b, size: 0 };
  let endingBefore = new Map<number, number>();
  for (let i = from.a; i < to.a; i += 1) {
    const endingHere = new Map<number, number>();
    texts.steps += 1;
    if (texts.steps > STEPS_MAX) break;
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < from.b) continue;
      if (j >= to.b) break;
      texts.steps += 1;
      const size = (endingBefore.get(j - 1) ?? 0) + 1;
      endingHere.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    endingBefore = endingHere;
  }
  let { a: start, b: other, size } = best;
  // A block can be extended by lines that start none.
  while (start > from.a && other > from.b && a[start - 1] === b[other - 1]) {
    [start, other, size] = [start - 1, other - 1, size + 1];
  }
  while (start + size < to.a && other + size < to.b && a[start + size] === b[other + size]) {
    size += 1;
  }
  return { a: start, b: other, size };
}
