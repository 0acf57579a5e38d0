import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { anonymous } from '../request/authenticator.ts';
import { Cancellation } from '../request/cancellation.ts';
import {
  type ApiRequest,
  type ApiResponse,
  buildHandlerChain,
  type Handler,
} from '../request/pipeline.ts';
import { type MutableRequest, newContext } from '../request/request-context.ts';
import { RequestHeaders } from '../request/request-headers.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { Warnings } from '../request/warnings.ts';
import { withDeadline } from './deadline.ts';
import { withStatusErrors } from './status-errors.ts';

function requestFor(target: string): ApiRequest {
  const { pathname: path, searchParams: query } = new URL(target, 'https://host');
  return {
    method: 'GET',
    path,
    query,
    headers: new RequestHeaders([]),
    peer: { address: '', certificate: undefined },
    info: parseRequestInfo('GET', path, query),
    user: anonymous,
    warnings: new Warnings(),
    cancellation: new Cancellation(),
    body: async () => new Uint8Array(),
    bodyStream: () => Readable.from([]),
  };
}

/** Waits for cancellation, like a read from a store that does not respond. */
const waitForever: Handler = ({ cancellation }) =>
  new Promise((_resolve, reject) => {
    cancellation.signal.addEventListener('abort', () => reject(cancellation.signal.reason));
  });

const cases = [
  { name: 'the usual time', target: '/apis/g.io/v1/things', afterMs: 60_000 },
  {
    name: 'a shorter time that was asked for',
    target: '/apis/g.io/v1/things?timeout=2s',
    afterMs: 2000,
  },
  {
    name: 'no longer time than the usual',
    target: '/apis/g.io/v1/things?timeout=5m',
    afterMs: 60_000,
  },
];

for (const { name, target, afterMs } of cases) {
  test(`a request is ended after ${name}`, async () => {
    const clock = manualClock();
    const bugs: unknown[] = [];
    const filters = [
      withStatusErrors((bug) => bugs.push(bug)),
      withDeadline({ clock, requestTimeoutMs: 60_000 }),
    ];
    const result = buildHandlerChain(waitForever, filters)(requestFor(target));
    clock.advance(afterMs - 1);
    const early = await Promise.race([
      result,
      new Promise((resolve) => setImmediate(resolve, 'waits')),
    ]);
    assert.equal(early, 'waits');
    clock.advance(1);
    const response = await result;
    assert.ok(response.kind === 'object' && response.code === 504);
    assert.deepEqual(bugs, []);
  });
}

test('a timeout that is none is 400', async () => {
  const filters = [
    withStatusErrors(() => {}),
    withDeadline({ clock: manualClock(), requestTimeoutMs: 60_000 }),
  ];
  const handler = buildHandlerChain(waitForever, filters);
  const response = await handler(requestFor('/apis/g.io/v1/things?timeout=soon'));
  assert.ok(response.kind === 'object' && response.code === 400);
});

const endings = [
  { kind: 'proxied', isLimited: true },
  { kind: 'stream', isLimited: false },
] as const;
for (const { kind, isLimited } of endings) {
  test(`the time of an answer that is ${kind} ${isLimited ? 'counts until its end' : 'is over'}`, async () => {
    const clock = manualClock();
    const request: MutableRequest = { ...requestFor('/apis/g.io/v1/things') };
    request.context = newContext('a', 0);
    const contentType = 'text/plain';
    const response: ApiResponse = { kind, code: 200, contentType, chunks: Readable.from([]) };
    await buildHandlerChain(
      () => response,
      [withDeadline({ clock, requestTimeoutMs: 60_000 })],
    )(request);
    const { signal } = request.cancellation;
    clock.advance(59_999);
    assert.equal(signal.aborted, false);
    clock.advance(1);
    assert.equal(signal.aborted, isLimited);
  });
}

test('an answer that was passed on to its end has no more limit', async () => {
  const clock = manualClock();
  const request: MutableRequest = { ...requestFor('/apis/g.io/v1/things') };
  request.context = newContext('a', 0);
  const response: ApiResponse = { kind: 'proxied', code: 200, chunks: Readable.from([]) };
  await buildHandlerChain(
    () => response,
    [withDeadline({ clock, requestTimeoutMs: 60_000 })],
  )(request);
  const { signal } = request.cancellation;
  for (const run of request.context.endListeners ?? []) run();
  clock.advance(60_000);
  assert.equal(signal.aborted, false);
});
