import type { Location } from '../values/errors.ts';

/** A message about a place in the text; `undefined` is about the text as a whole. */
export interface Issue {
  readonly offset: number | undefined;
  readonly message: string;
}

/** Upstream reports so many errors and counts the rest. */
const ISSUES_MAX = 100;
/** Lines longer than this, in bytes, are not quoted in messages. */
const SNIPPET_BYTES_MAX = 16_384;

/** The line and the column, in code points, of an offset in UTF-16 units. */
export function locate(text: string, offset: number): Location {
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const end = text.indexOf('\n', lineStart);
    if (end === -1 || end >= offset) {
      break;
    }
    line++;
    lineStart = end + 1;
  }
  return { line, column: [...text.slice(lineStart, offset)].length };
}

/** All issues as upstream prints them, in the order of their places, with the lines they are about. */
export function formatIssues(text: string, issues: readonly Issue[]): string {
  const placed = issues.slice(0, ISSUES_MAX).map((issue) => ({
    location: placeOf(text, issue.offset),
    message: issue.message,
  }));
  placed.sort(
    (left, right) =>
      left.location.line - right.location.line || left.location.column - right.location.column,
  );
  const lines = placed.map(({ location, message }) => formatIssue(text, location, message));
  if (issues.length > ISSUES_MAX) {
    lines.push(`${issues.length - ISSUES_MAX} more errors were truncated`);
  }
  return lines.join('\n');
}

function placeOf(text: string, offset: number | undefined): Location {
  if (offset === undefined) {
    return { line: -1, column: -1 };
  }
  // An empty text has a first line without a first column.
  return text === '' ? { line: 1, column: -1 } : locate(text, offset);
}

function formatIssue(text: string, { line, column }: Location, message: string): string {
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`;
  const source = lineAt(text, line);
  if (source === undefined || Buffer.byteLength(source) > SNIPPET_BYTES_MAX) {
    return head;
  }
  const snippet = source.replaceAll('\t', ' ');
  const characters = [...snippet];
  const dots = characters.slice(0, column).map((one) => (isWide(one) ? '．' : '.'));
  const here = characters[column];
  const pointer = here !== undefined && isWide(here) ? '＾' : '^';
  return `${head}\n | ${snippet}\n | ${dots.join('')}${pointer}`;
}

/** Wide is what takes more than one byte; the pointer then uses a full-width dot. */
function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}

function lineAt(text: string, line: number): string | undefined {
  return line < 1 || text === '' ? undefined : text.split('\n')[line - 1];
}
