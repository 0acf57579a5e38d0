import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { before, describe, type TestContext, test } from 'node:test';
import { StatusError } from '@tributary/apimachinery';
import { createTransport, TransportError } from '@tributary/client';
import { manualClock } from '@tributary/storage';
import { createPki, type Pki } from '../../../../test/harness/index.ts';
import { type TokenReviewOptions, tokenReviewLookup, webhookReview } from './token-review.ts';

interface ReviewerResponse {
  readonly code: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

const reviewed = (status: object): ReviewerResponse => ({
  code: 201,
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: {}, status },
});
const ALICE = reviewed({
  authenticated: true,
  user: { username: 'alice', uid: 'u', groups: ['a,b', 'c'], extra: { 'k.io/x': ['1', '2'] } },
});
const outage = (code: number, reason: string): ReviewerResponse => ({
  code,
  body: { kind: 'Status', status: 'Failure', reason, code, message: `it is ${reason}` },
});

describe('who another server says a token belongs to', () => {
  let pki: Pki;
  before(async () => {
    pki = await createPki();
  });

  /** A reviewer over real TLS with responses in turn; the last one repeats. */
  async function reviewer(t: TestContext, responses: readonly ReviewerResponse[]) {
    const calls: { path: string; body: { apiVersion: string; spec: object } }[] = [];
    const server = createServer({ ...pki.server }, async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const scripted = responses[Math.min(calls.length, responses.length - 1)];
      calls.push({ path: request.url ?? '', body: JSON.parse(text) });
      response.writeHead(scripted?.code ?? 500, {
        'content-type': 'application/json',
        ...scripted?.headers,
      });
      response.end(JSON.stringify(scripted?.body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const identity = {};
    const transport = createTransport({
      server: url,
      ca: { pem: pki.ca.cert },
      identity,
      namespace: '',
    });
    t.after(async () => {
      await transport.close();
      server.close();
    });
    return { calls, transport, url };
  }

  /** Timers below a minute fire at once and are recorded. */
  function hastyClock() {
    const clock = manualClock();
    const pauses: number[] = [];
    return {
      pauses,
      advance: clock.advance,
      nowMs: clock.nowMs,
      schedule(delayMs: number, run: () => void) {
        if (delayMs >= 10_000) return clock.schedule(delayMs, run);
        pauses.push(delayMs);
        const timer = setImmediate(run);
        return () => clearImmediate(timer);
      },
    };
  }

  async function lookupOf(
    t: TestContext,
    responses: readonly ReviewerResponse[],
    more: Partial<TokenReviewOptions> = {},
  ) {
    const { calls, transport } = await reviewer(t, responses);
    const clock = hastyClock();
    const observed: string[] = [];
    const lookup = tokenReviewLookup({
      transport,
      clock,
      cacheTtlMs: 10_000,
      random: () => 0.5,
      observe: (code) => observed.push(code),
      ...more,
    });
    return { lookup, calls, clock, observed };
  }

  const outcomes = [
    {
      name: 'a user with everything',
      response: ALICE,
      want: {
        outcome: 'authenticated',
        user: { name: 'alice', uid: 'u', groups: ['a,b', 'c'], extra: { 'k.io/x': ['1', '2'] } },
      },
    },
    {
      name: 'a user without anything else',
      response: reviewed({ authenticated: true, user: { username: 'bob' } }),
      want: { outcome: 'authenticated', user: { name: 'bob', uid: '', groups: [], extra: {} } },
    },
    { name: 'nobody', response: reviewed({ user: {} }), want: { outcome: 'no-opinion' } },
    {
      name: 'nobody, and why',
      response: reviewed({ error: 'it has expired' }),
      want: { outcome: 'rejected', reason: 'it has expired' },
    },
    {
      name: 'authenticated in other words than true',
      response: reviewed({ authenticated: 'true', user: { username: 'bob' } }),
      want: { outcome: 'no-opinion' },
    },
    {
      name: 'another kind',
      response: { code: 200, body: { kind: 'Pod', status: { authenticated: true } } },
      want: { outcome: 'rejected', reason: 'the response to a token review is not a TokenReview' },
    },
  ];
  for (const { name, response, want } of outcomes) {
    test(name, async (t) => {
      const { lookup } = await lookupOf(t, [response]);
      // The user's extra has no prototype, which is irrelevant here.
      assert.deepEqual(JSON.parse(JSON.stringify(await lookup('t'))), want);
    });
  }

  const audiences = [
    { name: 'the asked one', status: ['x', 'b'], asked: ['a', 'b'], want: ['b'] },
    { name: 'another', status: ['x'], asked: ['a'], want: undefined },
    { name: 'none is said, and the own are asked for', status: [], asked: ['api'], want: ['api'] },
    { name: 'none is said, and others are asked for', status: [], asked: ['a'], want: undefined },
  ];
  for (const { name, status, asked, want } of audiences) {
    test(`a token for audiences: ${name}`, async (t) => {
      const response = reviewed({
        authenticated: true,
        user: { username: 'a' },
        audiences: status,
      });
      const { lookup, calls } = await lookupOf(t, [response], { audiences: ['api'] });
      const result = await lookup('t', asked);
      assert.deepEqual(result.audiences, want);
      assert.equal(result.outcome, want ? 'authenticated' : 'no-opinion');
      assert.deepEqual(calls[0]?.body.spec, { token: 't', audiences: asked });
    });
  }

  test('the audiences of this server are asked for unless others are', async (t) => {
    const { lookup, calls } = await lookupOf(t, [ALICE], { audiences: ['api'] });
    await lookup('t');
    assert.deepEqual(calls[0]?.body.spec, { token: 't', audiences: ['api'] });
  });

  test('yes and no count for a while, without a promise; then they are asked for again', async (t) => {
    for (const response of [ALICE, reviewed({ user: {} })]) {
      const { lookup, calls, clock } = await lookupOf(t, [response]);
      await lookup('t');
      clock.advance(9_999);
      assert.ok(!(lookup('t') instanceof Promise));
      clock.advance(1);
      await lookup('t');
      assert.equal(calls.length, 2);
    }
  });

  test('an answer that says what went wrong is not kept', async (t) => {
    const { lookup, calls } = await lookupOf(t, [reviewed({ error: 'the directory is away' })]);
    for (const _ of [1, 2, 3]) {
      assert.deepEqual(await lookup('t'), { outcome: 'rejected', reason: 'the directory is away' });
    }
    assert.equal(calls.length, 3);
  });

  test('what differs in token or audiences is another question', async (t) => {
    const { lookup, calls } = await lookupOf(t, [ALICE]);
    for (const [token, asked] of [['t'], ['u'], ['t', ['a']], ['t', ['b']]] as const) {
      await lookup(token, asked);
    }
    assert.equal(calls.length, 4);
  });

  test('who asks at the same time shares one call', async (t) => {
    const { lookup, calls } = await lookupOf(t, [ALICE]);
    const all = await Promise.all([lookup('t'), lookup('t'), lookup('t')]);
    assert.equal(calls.length, 1);
    assert.ok(all.every(({ outcome }) => outcome === 'authenticated'));
  });

  const retried = [
    { name: '500', response: outage(500, 'InternalError') },
    { name: '504', response: outage(504, 'Timeout') },
    { name: '429', response: outage(429, 'TooManyRequests') },
    {
      name: 'anything with Retry-After',
      response: { ...outage(503, 'ServiceUnavailable'), headers: { 'retry-after': '1' } },
    },
  ];
  for (const { name, response } of retried) {
    test(`${name} is tried again`, async (t) => {
      const { lookup, calls, observed } = await lookupOf(t, [response, response, ALICE]);
      assert.equal((await lookup('t')).outcome, 'authenticated');
      assert.equal(calls.length, 3);
      assert.deepEqual(observed, [String(response.code), String(response.code), '201']);
    });
  }

  test('five tries are made, with growing pauses, and their failure is not kept', async (t) => {
    const { lookup, calls, clock } = await lookupOf(t, [outage(500, 'InternalError')]);
    const result = await lookup('t');
    assert.deepEqual(result, { outcome: 'rejected', reason: 'it is InternalError' });
    assert.equal(calls.length, 5);
    assert.deepEqual(
      clock.pauses.map((ms) => Math.round(ms * 100) / 100),
      [550, 825, 1237.5, 1856.25],
    );
    await lookup('t');
    assert.equal(calls.length, 10);
  });

  for (const code of [400, 401, 403, 404]) {
    test(`${code} is final`, async (t) => {
      const { lookup, calls } = await lookupOf(t, [outage(code, 'Wrong')]);
      assert.equal((await lookup('t')).outcome, 'rejected');
      assert.equal(calls.length, 1);
    });
  }

  test('a connection that is reset is tried again, a refused one is not', async () => {
    for (const [code, tries] of [
      ['ECONNRESET', 5],
      ['ECONNREFUSED', 1],
    ] as const) {
      let calls = 0;
      const lookup = tokenReviewLookup({
        transport: {
          request: async () => {
            calls += 1;
            const stage = { maybeProcessed: true, reusedConnection: false };
            throw new TransportError(code, { code, ...stage });
          },
        },
        clock: hastyClock(),
        cacheTtlMs: 1,
      });
      assert.deepEqual(await lookup('t'), { outcome: 'rejected', reason: code });
      assert.equal(calls, tries);
    }
  });

  test('all tries end with their time', async () => {
    const clock = manualClock();
    const lookup = tokenReviewLookup({
      transport: {
        request: (_method, _path, options) => {
          const { promise, reject } = Promise.withResolvers<never>();
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          return promise;
        },
      },
      clock,
      cacheTtlMs: 1,
    });
    const response = lookup('t');
    clock.advance(10_000);
    assert.deepEqual(await response, {
      outcome: 'rejected',
      reason: 'no token review within 10000 ms',
    });
  });

  test('a flood of new tokens is turned away', async () => {
    const lookup = tokenReviewLookup({
      transport: { request: () => Promise.reject(new StatusError({ code: 400, message: 'no' })) },
      clock: manualClock(),
      cacheTtlMs: 1,
    });
    const first = Array.from({ length: 1000 }, (_, index) => lookup(`t${index}`));
    assert.deepEqual(lookup('one more'), {
      outcome: 'rejected',
      reason: 'too many token reviews are under way',
    });
    await Promise.all(first);
    assert.ok(lookup('one more') instanceof Promise);
  });

  test('a webhook is called at its own address, in its own version', async (t) => {
    const { transport, calls, url } = await reviewer(t, [ALICE]);
    const lookup = tokenReviewLookup({ ...webhookReview(url), transport, clock: hastyClock() });
    await lookup('t');
    assert.equal(calls[0]?.path, '/?timeout=30s');
    assert.equal(calls[0]?.body.apiVersion, 'authentication.k8s.io/v1beta1');
    assert.equal(webhookReview(`${url}/authenticate`).path, '');
  });
});
