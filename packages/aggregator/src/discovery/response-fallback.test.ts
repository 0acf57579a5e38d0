import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiResponse } from '@tributary/server';
import { VirtualClock } from '../../../../test/harness/index.ts';
import { withFallback } from './response-fallback.ts';

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

async function wordsOf(response: ApiResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  if (response.kind === 'bytes') pieces.push(...response.chunks);
  if (response.kind === 'proxied') for await (const piece of response.chunks) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('the list of another server', () => {
  const fallback = () => text('kept');
  const cases: readonly { name: string; send: () => Promise<ApiResponse>; want: string }[] = [
    { name: 'is what it says now', send: async () => text('live'), want: 'live' },
    { name: 'also when that is a refusal', send: async () => text('no', 403), want: 'no' },
    { name: 'and when it comes in pieces', send: async () => passedOn(slowly(3)), want: 'xxx' },
    {
      name: 'is the kept one when the server fails',
      send: () => Promise.reject(new Error('x')),
      want: 'kept',
    },
    { name: 'or is not well', send: async () => text('oh', 503), want: 'kept' },
  ];
  for (const { name, send, want } of cases) {
    test(name, async () => {
      const clock = new VirtualClock();
      assert.equal(await wordsOf(await withFallback(send, { fallback, clock })), want);
      assert.equal(clock.pending, 0);
    });
  }

  const late: readonly { name: string; send: () => Promise<ApiResponse> }[] = [
    { name: 'is the kept one when the server is silent', send: () => new Promise(() => {}) },
    { name: 'or never ends', send: async () => passedOn(slowly(Infinity)) },
  ];
  for (const { name, send } of late) {
    test(name, async () => {
      const clock = new VirtualClock();
      const response = withFallback(send, { fallback, clock });
      await clock.advance(PATIENCE_MS - 1);
      assert.equal(clock.pending, 1, 'it is still waited for');
      await clock.advance(1);
      assert.equal(await wordsOf(await response), 'kept');
    });
  }

  test('an answer without an end is left, so that it ends', async () => {
    const clock = new VirtualClock();
    const left = Promise.withResolvers<void>();
    const send = async () => passedOn(slowly(Infinity, left.resolve));
    const response = withFallback(send, { fallback, clock });
    await clock.advance(PATIENCE_MS);
    await response;
    await left.promise;
  });
});
