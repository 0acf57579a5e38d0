import type { Readable } from 'node:stream';

/** The rest of a longer line is dropped: a program that never ends its line must not fill our memory. */
const LINE_CHARACTERS_MAX = 16 * 1024;

/** Hears every line that a program writes, the last one also without its end. */
export function onLines(stream: Readable, onLine: (line: string) => void): void {
  let begun = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      onLine((begun + line).slice(0, LINE_CHARACTERS_MAX));
      begun = '';
    }
    begun = (begun + last).slice(0, LINE_CHARACTERS_MAX);
  });
  stream.on('end', () => {
    if (begun !== '') onLine(begun);
  });
  // A pipe that breaks is a program that ends, which its exit event reports.
  stream.on('error', () => {});
}
