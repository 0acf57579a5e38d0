import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiResponse } from '@tributary/server';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { inTime } from './in-time.ts';

const PATIENCE_MS = 500;

const text = (words: string, code = 200): ApiResponse => ({
  kind: 'bytes',
  code,
  contentType: 'application/json',
  chunks: [Buffer.from(words)],
});

async function* slowly(pieces: number, onLeft: () => void = () => {}): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = 0; piece < pieces; piece += 1) {
      await nextTurn();
      yield Buffer.from('x');
    }
  } finally {
    onLeft();
  }
}

const passedOn = (chunks: AsyncIterable<Uint8Array>): ApiResponse => ({
  kind: 'proxied',
  code: 200,
  headers: [['content-type', 'application/json']],
  chunks,
});

async function wordsOf(answer: ApiResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  if (answer.kind === 'bytes') pieces.push(...answer.chunks);
  if (answer.kind === 'proxied') for await (const piece of answer.chunks) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('the list of another server', () => {
  const kept = () => text('kept');
  const cases: readonly { name: string; ask: () => Promise<ApiResponse>; want: string }[] = [
    { name: 'is what it says now', ask: async () => text('live'), want: 'live' },
    { name: 'also when that is a refusal', ask: async () => text('no', 403), want: 'no' },
    { name: 'and when it comes in pieces', ask: async () => passedOn(slowly(3)), want: 'xxx' },
    {
      name: 'is the kept one when the server fails',
      ask: () => Promise.reject(new Error('x')),
      want: 'kept',
    },
    { name: 'or is not well', ask: async () => text('oh', 503), want: 'kept' },
  ];
  for (const { name, ask, want } of cases) {
    test(name, async () => {
      const clock = new VirtualClock();
      assert.equal(await wordsOf(await inTime(ask, { kept, clock })), want);
      assert.equal(clock.pending, 0);
    });
  }

  const late: readonly { name: string; ask: () => Promise<ApiResponse> }[] = [
    { name: 'is the kept one when the server is silent', ask: () => new Promise(() => {}) },
    { name: 'or never ends', ask: async () => passedOn(slowly(Infinity)) },
  ];
  for (const { name, ask } of late) {
    test(name, async () => {
      const clock = new VirtualClock();
      const answering = inTime(ask, { kept, clock });
      await clock.advance(PATIENCE_MS - 1);
      assert.equal(clock.pending, 1, 'it is still waited for');
      await clock.advance(1);
      assert.equal(await wordsOf(await answering), 'kept');
    });
  }

  test('an answer without an end is left, so that it ends', async () => {
    const clock = new VirtualClock();
    const left = Promise.withResolvers<void>();
    const ask = async () => passedOn(slowly(Infinity, left.resolve));
    const answering = inTime(ask, { kept, clock });
    await clock.advance(PATIENCE_MS);
    await answering;
    await left.promise;
  });
});
