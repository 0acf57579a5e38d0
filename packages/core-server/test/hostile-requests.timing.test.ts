/**
 * No request blocks the event loop for long: the longest task is short compared with one `JSON.parse` and one
 * `JSON.stringify` of the body. The client runs in another thread.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../test/harness/index.ts';
import { leastMs } from '../../../test/harness/own-time.ts';
import { slowness, timed } from '../../cel/test/thread-time.ts';
import { watchLoop } from '../../server/test/loop-stalls.ts';
import { startTestCore, type TestCore } from './core-fixture.ts';
import { hostileRequests, madeOf, preparations } from './hostile-requests.ts';
import { type ForeignClient, foreignClient } from './independent-client.ts';

/** In addition to parsing and encoding the body. */
const PIECE_MS_MAX = 20;

/**
 * Still synchronous: selectors and queries are parsed, patches applied, and the thread's YAML result parsed in one
 * task. These bounds may only shrink; a request that meets the shorter bound leaves this list.
 */
const LONGER_MS_MAX = 150;
const LONGER: ReadonlySet<string> = new Set([
  'managed fields of many managers',
  'managed fields of many versions',
  'labels',
  'labels that are wrong',
  'data',
  'data with wrong keys',
  'keys of YAML',
  'YAML in flow style',
  'unknown fields',
  'duplicate fields',
  'containers',
  'JSON patch whose copies double',
  'JSON patch whose arrays double',
  'JSON patch with many operations at the front of an array',
  'merge patch of many keys',
  'strategic merge patch of many keys',
  'apply of many keys',
  'custom resource with an atomic list of many',
  'custom resource with wrong values',
  'a label selector of many terms',
  'a label selector of one long set',
  'a field selector of many terms',
  'a long query',
]);

describe('the event loop is not blocked', { concurrency: 1 }, () => {
  let core: TestCore;
  let client: ForeignClient;
  before(async () => {
    core = await startTestCore();
    client = foreignClient(core);
    for (const one of preparations)
      assert.equal((await client.send(madeOf(one))).code, one.code, one.name);
    const list = { method: 'GET', path: '/apis/hostile.example.com/v1/things' };
    await eventually('the kind is served', async () => (await client.send(list)).code === 200);
  });
  after(async () => {
    await client[Symbol.asyncDispose]();
    await core[Symbol.asyncDispose]();
  });

  for (const size of ['accepted', 'most'] as const) {
    for (const one of hostileRequests(size)) {
      test(`by this request, ${size}: ${one.name}`, async (t) => {
        const msMax = LONGER.has(one.name) ? LONGER_MS_MAX : PIECE_MS_MAX;
        const least = await leastMs(msMax, async () => {
          const request = madeOf(one);
          const before = slowness();
          const parse = timed(() => void roundTrip(request.body));
          const loop = watchLoop(t);
          const { code, text } = await client.send(request);
          const longest = loop.longestMs();
          assert.equal(code, one.code, text.slice(0, 500));
          t.diagnostic(`${longest.toFixed(1)} ms, and ${parse.toFixed(1)} ms for the body`);
          return (longest - parse) / Math.max(before, slowness());
        });
        assert.ok(least < msMax, `${least.toFixed(1)} ms in one go beside the body`);
      });
    }
  }
});

/** The minimum work; for YAML that of an empty body. */
function roundTrip(body: string | undefined): string {
  try {
    return JSON.stringify(JSON.parse(body ?? 'null'));
  } catch {
    return '';
  }
}
