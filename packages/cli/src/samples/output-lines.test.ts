import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { onLines } from './output-lines.ts';

const LONG = 'x'.repeat(20_000);
const cases: { name: string; chunks: readonly string[]; want: readonly string[] }[] = [
  { name: 'whole ones', chunks: ['a\nb\n'], want: ['a', 'b'] },
  { name: 'one in pieces', chunks: ['a', 'b', 'c\nd', '\n'], want: ['abc', 'd'] },
  { name: 'the last without its end', chunks: ['a\n', 'b'], want: ['a', 'b'] },
  {
    name: 'one that is too long loses its end, the next does not',
    chunks: [LONG, `${LONG}\nb\n`],
    want: [LONG.slice(0, 16 * 1024), 'b'],
  },
];
for (const { name, chunks, want } of cases) {
  test(`lines: ${name}`, async () => {
    const stream = new PassThrough();
    const received: string[] = [];
    onLines(stream, (line) => received.push(line));
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await finished(stream);
    assert.deepEqual(received, want);
  });
}
