/** Our judgement of every write is what the original answered when it was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexedPolicy } from '../../packages/core-server/test/policy-fixture.ts';
import { policyCases } from './cases.ts';
import { ourResponse } from './ours.ts';
import { readRecordedResponses } from './recorded-results.ts';

const { responses } = readRecordedResponses();
const index = indexedPolicy();

test('every case is recorded, and nothing else', () => {
  assert.deepEqual(
    Object.keys(responses),
    policyCases.map(({ name }) => name),
  );
});

for (const one of policyCases) {
  test(one.name, async () => {
    assert.deepEqual(await ourResponse(index, one), responses[one.name]);
  });
}
