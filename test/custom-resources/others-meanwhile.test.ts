/** Requests of others are answered while definitions and rules that take long are read, compiled and evaluated. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { startTestCore, type TestCore } from '../../packages/core-server/test/core-fixture.ts';
import {
  burners,
  burningSpec,
  define,
  largeSpec,
  manyFields,
  manyRules,
  OUT_OF_BUDGET,
  OUT_OF_CALL,
  objectOf,
  objectsOf,
  type StepResult,
  send,
  textValues,
  together,
  togetherSpec,
  warmUp,
} from './heavy-definitions.ts';

/** Those that are answered before the server has read all of the request, which is all where the loop stands still. */
const BEFORE_MAX = 5;
const ROUNDS_MAX = 5;

/** How many requests are sent and answered, one after the other, before the response to another one is there. */
async function meanwhile(
  core: TestCore,
  work: () => Promise<StepResult>,
): Promise<StepResult & { readonly others: number }> {
  let isOver = false;
  let others = 0;
  const working = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await send(core, 'GET', '/readyz');
    if (!isOver) others += 1;
  }
  return { ...(await working), others };
}

/** Again where none was answered: the machine may have let the thread run and the loop not. */
async function othersMeanwhile(
  t: TestContext,
  core: TestCore,
  work: (round: number) => Promise<StepResult>,
): Promise<StepResult> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const response = await meanwhile(core, () => work(round));
    t.diagnostic(`${response.others} others`);
    if (response.others > BEFORE_MAX) return response;
  }
  return assert.fail('others wait');
}

describe('others are answered', { concurrency: 1 }, () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
    await warmUp(core);
    await define(core, 'burners', burningSpec);
    await define(core, 'togethers', togetherSpec);
  });
  after(() => core[Symbol.asyncDispose]());

  const create = (plural: string, spec: unknown) => () =>
    send(core, 'POST', objectsOf(plural), objectOf(plural, 'a', spec));

  test('while half a megabyte is defined, and its first object is created', async (t) => {
    const rule = { rule: 'self.name != "none"' };
    const spec = { ...largeSpec(), 'x-kubernetes-validations': [rule] };
    const defined = await othersMeanwhile(t, core, (round) => define(core, `larges${round}`, spec));
    assert.equal(defined.code, 201, defined.text.slice(0, 1000));
    assert.equal((await create('larges0', { name: 'a', part1: [{ name: 'b' }] })()).code, 201);
  });

  test('while hundreds of rules are defined, and what breaks one is refused', async (t) => {
    const rules = manyRules();
    const defined = await othersMeanwhile(t, core, (round) => define(core, `asked${round}`, rules));
    assert.equal(defined.code, 201);
    assert.equal((await create('asked0', manyFields())()).code, 201);
    const broken = await create('asked0', { ...manyFields(), f4: 'b' })();
    assert.equal(broken.code, 422);
    assert.match(broken.text, /spec\.f4: Invalid value/);
  });

  for (const [at, { rule, items }] of burners.entries()) {
    test(`while it burns: ${rule}`, async (t) => {
      const burn = create('burners', { [`f${at}`]: textValues(items) });
      const response = await othersMeanwhile(t, core, burn);
      assert.equal(response.code, 422);
      assert.match(response.text, OUT_OF_CALL);
    });
  }

  test('while many rules burn together', async (t) => {
    const response = await othersMeanwhile(t, core, create('togethers', together()));
    assert.match(response.text, OUT_OF_BUDGET);
  });

  test('nothing went wrong', () => assert.deepEqual(core.problems, []));
});

test('without the thread they would wait', async () => {
  const never = Number.POSITIVE_INFINITY;
  const validating = { loop: { ms: never, cost: never, ruleLength: never } };
  await using core = await startTestCore({ server: { validationThread: validating } });
  await warmUp(core);
  await define(core, 'togethers', togetherSpec);
  const body = objectOf('togethers', 'a', together());
  const work = () => send(core, 'POST', objectsOf('togethers'), body);
  const response = await meanwhile(core, work);
  assert.match(response.text, OUT_OF_BUDGET);
  assert.ok(response.others <= BEFORE_MAX, `${response.others}`);
});
