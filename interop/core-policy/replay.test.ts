/** Our judgement of every write is what the original answered when it was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexedPolicy } from '../../packages/core-server/test/policy-fixture.ts';
import { policyCases } from './cases.ts';
import { ourAnswer } from './ours.ts';
import { readRecordedAnswers } from './recorded-answers.ts';

const { answers } = readRecordedAnswers();
const index = indexedPolicy();

test('every case is recorded, and nothing else', () => {
  assert.deepEqual(
    Object.keys(answers),
    policyCases.map(({ name }) => name),
  );
});

for (const one of policyCases) {
  test(one.name, async () => {
    assert.deepEqual(await ourAnswer(index, one), answers[one.name]);
  });
}
