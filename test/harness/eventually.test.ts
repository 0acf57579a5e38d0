import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { eventually, eventuallySucceeds } from './eventually.ts';

/** Returns one value after the other, and the last one repeatedly. */
function oneAfterTheOther<T>(...values: T[]): () => T {
  return () => (values.length > 1 ? values.shift() : values[0]) as T;
}

describe('eventually', () => {
  const values = [
    { name: 'an object', last: { kind: 'Pod' } },
    { name: 'true', last: true },
    { name: 'zero', last: 0 },
    { name: 'an empty text', last: '' },
  ];
  for (const { name, last } of values) {
    test(`${name} ends the wait; false, null and undefined do not`, async () => {
      const look = oneAfterTheOther(false, null, undefined, last);
      assert.equal(await eventually('a value', look), last);
      const later = oneAfterTheOther(false, null, undefined, last);
      assert.equal(await eventually('a value', async () => later()), last);
    });
  }

  test('a condition that is never true fails with its description', async () => {
    const bound = { withinMs: 20, everyMs: 1 };
    await assert.rejects(
      eventually('a Pod', () => undefined, bound),
      { code: 'ERR_ASSERTION', message: 'not within 20 ms: a Pod' },
    );
    let looks = 0;
    const counted = eventually(
      () => `a Pod, after ${looks} looks`,
      async () => {
        looks += 1;
        return false;
      },
      bound,
    );
    await assert.rejects(counted, ({ message }: Error) => {
      assert.equal(message, `not within 20 ms: a Pod, after ${looks} looks`);
      return true;
    });
  });

  test('a condition that throws fails at once', async () => {
    let looks = 0;
    const look = (): boolean => {
      looks += 1;
      throw new Error('broken');
    };
    await assert.rejects(eventually('a Pod', look), /broken/);
    assert.equal(looks, 1);
  });

  test('the condition is evaluated at least once, so that a stall before it fails nothing', async () => {
    assert.equal(await eventually('a Pod', () => 'a', { withinMs: 0 }), 'a');
  });

  test('a wait without a pause needs no timer', async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let turns = 0;
    const look = () => {
      turns += 1;
      return turns > 3_000;
    };
    assert.equal(await eventually('many turns', look, { everyMs: 0 }), true);
  });
});

describe('eventuallySucceeds', () => {
  test('the result of the first successful attempt is returned, also undefined', async () => {
    const attempt = oneAfterTheOther(
      () => assert.fail('not yet'),
      () => undefined,
    );
    assert.equal(await eventuallySucceeds(async () => attempt()()), undefined);
  });

  test('the last error is thrown', async () => {
    let attempts = 0;
    const attempt = () => {
      attempts += 1;
      throw new Error(`attempt ${attempts}`);
    };
    const failing = eventuallySucceeds(attempt, { withinMs: 20, everyMs: 1 });
    await assert.rejects(failing, ({ message }: Error) => {
      assert.equal(message, `attempt ${attempts}`);
      return true;
    });
  });
});
