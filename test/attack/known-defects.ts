/**
 * Behaviours that are known to break a server of ours, each by its name. They are left out unless they are asked for
 * (`--with-known`); the repair of one takes its name off this list.
 */
export const knownDefects: ReadonlySet<string> = new Set();

/** Violations that are known, by what their lines look like. */
const knownLines: readonly RegExp[] = [
  // The stream buffers responses and initial events that the client does not read; memory is released late.
  /: the server held \d+ MiB$/,
];

export function isKnown(line: string): boolean {
  return knownLines.some((pattern) => pattern.test(line));
}
