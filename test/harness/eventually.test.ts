import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { eventually, eventuallySucceeds } from './eventually.ts';

/** Gives one after the other, and the last for ever. */
function oneAfterTheOther<T>(...answers: T[]): () => T {
  return () => (answers.length > 1 ? answers.shift() : answers[0]) as T;
}

describe('eventually', () => {
  const answers = [
    { name: 'an object', last: { kind: 'Pod' } },
    { name: 'true', last: true },
    { name: 'zero', last: 0 },
    { name: 'an empty text', last: '' },
  ];
  for (const { name, last } of answers) {
    test(`${name} is an answer; false, null and undefined are none yet`, async () => {
      const look = oneAfterTheOther(false, null, undefined, last);
      assert.equal(await eventually('an answer', look), last);
      const later = oneAfterTheOther(false, null, undefined, last);
      assert.equal(await eventually('an answer', async () => later()), last);
    });
  }

  test('what never comes fails with its name', async () => {
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

  test('a look that throws fails at once', async () => {
    let looks = 0;
    const look = (): boolean => {
      looks += 1;
      throw new Error('gone wrong');
    };
    await assert.rejects(eventually('a Pod', look), /gone wrong/);
    assert.equal(looks, 1);
  });

  test('it looks once even without time, so that a stall before the first look fails nothing', async () => {
    assert.equal(await eventually('a Pod', () => 'a', { withinMs: 0 }), 'a');
  });

  test('without a pause it needs no timer', async (t: TestContext) => {
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
  test('gives what the first good attempt gives, also nothing', async () => {
    const attempt = oneAfterTheOther(
      () => assert.fail('not yet'),
      () => undefined,
    );
    assert.equal(await eventuallySucceeds(async () => attempt()()), undefined);
  });

  test('fails with the last error', async () => {
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
