/**
 * No definition and no rule delays other requests: large definitions, many rules, and rules that burn time are
 * validated while the loop goes on. The client is in the same process, and its work counts too. That others get
 * responses meanwhile, at any speed, is in others-meanwhile.test.ts.
 */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { slowness } from '../../packages/cel/test/thread-time.ts';
import { startTestCore, type TestCore } from '../../packages/core-server/test/core-fixture.ts';
import { watchLoop } from '../../packages/server/test/loop-stalls.ts';
import { leastMs } from '../harness/index.ts';
import {
  burners,
  burningSpec,
  DEFINITIONS,
  define,
  definitionOf,
  GROUP,
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

/** How long nothing else may run. */
const LOOP_MS_MAX = 50;
/**
 * Half a megabyte is read and written in pieces of about 30 ms, and of twice that where a full collection falls into one.
 * Without the thread it is 95 and more, and the hundreds of rules below are above the bound of everything else.
 */
const LARGE_MS_MAX = 70;
interface Watched extends StepResult {
  /** The longest piece of work on the loop meanwhile. */
  readonly measuredMs: number;
  /** The same on a machine that does nothing else. */
  readonly ms: number;
}

async function longest(t: TestContext, work: () => Promise<StepResult>): Promise<Watched> {
  const before = slowness();
  const loop = watchLoop(t);
  const response = await work();
  const measuredMs = loop.longestMs();
  t.diagnostic(`the longest piece of work on the loop took ${measuredMs.toFixed(1)} ms`);
  return { ...response, measuredMs, ms: measuredMs / Math.max(before, slowness()) };
}

/** Rounds have names of their own; each must be answered as it is meant to be. */
async function short(
  { wanted, msMax = LOOP_MS_MAX }: { wanted: number; msMax?: number },
  measure: (round: number) => Promise<Watched>,
): Promise<StepResult> {
  let response: StepResult = { code: 0, text: '' };
  const ms = await leastMs(msMax, async (round) => {
    const watched = await measure(round);
    assert.equal(watched.code, wanted, watched.text.slice(0, 1000));
    response = watched;
    return watched.ms;
  });
  assert.ok(ms < msMax, `${ms.toFixed(1)} ms in one go`);
  return response;
}

/** In order: each continues where the one before has ended. */
describe('the loop goes on', { concurrency: 1 }, () => {
  let core: TestCore;
  before(async () => {
    core = await startTestCore();
    await warmUp(core);
  });
  after(() => core[Symbol.asyncDispose]());

  const rule = 'self.name != "none"';
  const ruledSpec = () => ({ ...largeSpec(), 'x-kubernetes-validations': [{ rule }] });

  test('while half a megabyte is defined', async (t) => {
    const spec = ruledSpec();
    assert.ok(definitionOf('larges0', spec).length > 490_000);
    await short({ wanted: 201, msMax: LARGE_MS_MAX }, (round) =>
      longest(t, () => define(core, `larges${round}`, spec)),
    );
  });

  test('while half a megabyte is changed', async (t) => {
    const path = `${DEFINITIONS}/larges0.${GROUP}`;
    const before = '"count":{"type":"integer"';
    const change = async (field: string) => {
      const { text } = await send(core, 'GET', path);
      assert.ok(text.includes(before));
      return send(
        core,
        'PUT',
        path,
        text.replace(before, `"${field}":{"type":"string"},${before}`),
      );
    };
    await short({ wanted: 200, msMax: LARGE_MS_MAX }, async (round) => {
      const response = await longest(t, async () => {
        for (;;) {
          // Status writes of the server itself may come in between.
          const changed = await change(`added${round}`);
          if (changed.code !== 409) return changed;
        }
      });
      assert.ok(response.text.includes(`"added${round}"`));
      return response;
    });
  });

  test('while a definition of half a megabyte is refused', async (t) => {
    const spec = { ...largeSpec(), 'x-kubernetes-validations': [{ rule: 'self.none > 1' }] };
    const response = await short({ wanted: 422, msMax: LARGE_MS_MAX }, () =>
      longest(t, () => define(core, 'refused', spec)),
    );
    assert.match(response.text, /undefined field 'none'/);
  });

  test('while the first object of such a kind is created', async (t) => {
    await short({ wanted: 201 }, async (round) => {
      const plural = `firsts${round}`;
      await define(core, plural, ruledSpec());
      const body = objectOf(plural, 'a', { name: 'a', part1: [{ name: 'b' }] });
      return longest(t, () => send(core, 'POST', objectsOf(plural), body));
    });
  });

  test('while hundreds of rules are defined', async (t) => {
    await short({ wanted: 201 }, (round) =>
      longest(t, () => define(core, `manys${round}`, manyRules())),
    );
  });

  test('while hundreds of rules are asked, the first time and later', async (t) => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await short({ wanted: 201 }, async (round) => {
        // Only the first object of a kind is the first.
        const plural = name === 'a' ? `asked${round}` : 'asked0';
        if (name === 'a') await define(core, plural, manyRules());
        const body = objectOf(plural, `${name}${round}`, manyFields());
        return longest(t, () => send(core, 'POST', objectsOf(plural), body));
      });
    }
    const broken = objectOf('asked0', 'e', { ...manyFields(), f4: 'b' });
    const response = await short({ wanted: 422 }, () =>
      longest(t, () => send(core, 'POST', objectsOf('asked0'), broken)),
    );
    assert.match(response.text, /spec\.f4: Invalid value/);
  });

  test('while rules that burn time are defined', async (t) => {
    for (const [plural, spec] of [
      ['burners', burningSpec],
      ['togethers', togetherSpec],
    ] as const) {
      await short({ wanted: 201 }, (round) =>
        longest(t, () => define(core, `${plural}${round}`, spec)),
      );
    }
  });

  for (const [at, { rule, items }] of burners.entries()) {
    test(`while it burns: ${rule}`, async (t) => {
      const body = objectOf('burners0', 'a', { [`f${at}`]: textValues(items) });
      const response = await short({ wanted: 422 }, () =>
        longest(t, () => send(core, 'POST', objectsOf('burners0'), body)),
      );
      assert.match(response.text, OUT_OF_CALL);
    });
  }

  test('while many rules burn together, and others are answered meanwhile', async (t) => {
    const body = objectOf('togethers0', 'a', together());
    let others = 0;
    const burn = async () => {
      let isOver = false;
      const burning = send(core, 'POST', objectsOf('togethers0'), body).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await send(core, 'GET', '/readyz');
        if (!isOver) others += 1;
      }
      return burning;
    };
    const response = await short({ wanted: 422 }, () => longest(t, burn));
    assert.match(response.text, OUT_OF_BUDGET);
    assert.ok(others > 0);
  });

  test('nothing went wrong', () => assert.deepEqual(core.problems, []));
});

test('without the thread it would stand still', async (t) => {
  const never = Number.POSITIVE_INFINITY;
  const validating = { loop: { ms: never, cost: never, ruleLength: never } };
  await using core = await startTestCore({ server: { validationThread: validating } });
  await warmUp(core);
  await define(core, 'togethers', togetherSpec);
  const body = objectOf('togethers', 'a', together());
  const response = await longest(t, () => send(core, 'POST', objectsOf('togethers'), body));
  assert.match(response.text, OUT_OF_BUDGET);
  assert.ok(response.measuredMs > LOOP_MS_MAX, `${response.measuredMs.toFixed(1)} ms`);
});
