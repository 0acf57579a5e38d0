/** Requests that are expensive to process get their expected response, and the server stays healthy. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../../test/harness/index.ts';
import { startTestCore, type TestCore } from './core-fixture.ts';
import { hostileRequests, madeOf, preparations } from './hostile-requests.ts';
import { type ForeignClient, foreignClient } from './independent-client.ts';

describe('an expensive request gets its response', { concurrency: 1 }, () => {
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

  for (const one of hostileRequests('accepted')) {
    test(one.name, async () => {
      const { code, text } = await client.send(madeOf(one));
      assert.equal(code, one.code, text.slice(0, 500));
    });
  }

  test('no errors were logged', () => {
    const problems = core.problems.filter((text) => !text.startsWith('Unable to authenticate'));
    assert.deepEqual(problems, []);
  });
});
