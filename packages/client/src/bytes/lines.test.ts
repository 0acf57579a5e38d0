import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitLines } from './lines.ts';

async function* chunksOf(chunks: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function lines(chunks: readonly string[], bytesMax = 100): Promise<string[]> {
  const result: string[] = [];
  for await (const line of splitLines(chunksOf(chunks), bytesMax)) {
    result.push(Buffer.from(line).toString());
  }
  return result;
}

const cases = [
  { name: 'one chunk with two lines', chunks: ['a\nb\n'], want: ['a', 'b'] },
  { name: 'a line over three chunks', chunks: ['a', 'b', 'c\n'], want: ['abc'] },
  {
    name: 'empty lines and carriage returns are no lines',
    chunks: ['\n\r\n \na\n\n'],
    want: ['a'],
  },
  { name: 'nothing at all', chunks: [], want: [] },
  { name: 'white space after the last line', chunks: ['a\n', '  \r'], want: ['a'] },
];
for (const { name, chunks, want } of cases) {
  test(name, async () => assert.deepEqual(await lines(chunks), want));
}

test('a stream that ends inside a line is an error', async () => {
  await assert.rejects(lines(['a\n', 'b']), /ends inside a line/);
});

test('a line beyond the limit is an error before it ends', async () => {
  await assert.rejects(lines(['12345', '6789'], 8), /more than 8 bytes/);
  assert.deepEqual(await lines(['1234', '5678\n1234', '5678\n'], 8), ['12345678', '12345678']);
});

test('splitLines does not depend on the boundaries of chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-zß€]{1,20}$/)),
      fc.array(fc.nat(200)),
      async (words, cuts) => {
        const bytes = Buffer.from(words.map((word) => `${word}\n`).join(''));
        const points = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length];
        points.sort((a, b) => a - b);
        const chunks = points.slice(1).map((end, index) => bytes.subarray(points[index], end));
        const source = (async function* () {
          yield* chunks;
        })();
        const result: string[] = [];
        for await (const line of splitLines(source, 1000))
          result.push(Buffer.from(line).toString());
        assert.deepEqual(result, words);
      },
    ),
  );
});
