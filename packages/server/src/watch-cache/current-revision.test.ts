import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Revision } from '@tributary/storage';
import { settled } from '../../test/watch-cache-fixture.ts';
import { CurrentRevision } from './current-revision.ts';

function heldStore() {
  const questions: PromiseWithResolvers<Revision>[] = [];
  const currentRevision = () => {
    const question = Promise.withResolvers<Revision>();
    questions.push(question);
    return question.promise;
  };
  return { questions, asker: new CurrentRevision({ currentRevision }) };
}

test('callers during a running read of the revision share the next one', async () => {
  const { questions, asker } = heldStore();
  const first = asker.ask();
  const [second, third] = [asker.ask(), asker.ask()];
  assert.equal(questions.length, 1);
  questions[0]?.resolve(5 as Revision);
  assert.equal(await first, 5);
  await settled();
  assert.equal(questions.length, 2, 'the running read may be older than the second call');
  questions[1]?.resolve(6 as Revision);
  assert.deepEqual(await Promise.all([second, third]), [6, 6]);
  const fourth = asker.ask();
  assert.equal(questions.length, 3);
  questions[2]?.resolve(7 as Revision);
  assert.equal(await fourth, 7);
});

test('a failed read of the revision does not fail the next one', async () => {
  const { questions, asker } = heldStore();
  const first = asker.ask();
  const second = asker.ask();
  questions[0]?.reject(new Error('out of reach'));
  await assert.rejects(first, /out of reach/);
  await settled();
  questions[1]?.resolve(6 as Revision);
  assert.equal(await second, 6);
});
