/** Our judgement of every expression is what Kubernetes' own was when it was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { celCases } from './cases.ts';
import { comparable, withoutPassedCost } from './compare.ts';
import { differences } from './differences.ts';
import { createBases, ourResponse } from './ours.ts';
import { readRecordedResponses } from './recorded-results.ts';

const { responses } = readRecordedResponses();
const bases = createBases();

test('every case is recorded once, and nothing else', () => {
  assert.deepEqual(
    Object.keys(responses),
    celCases.map(({ name }) => name),
    'run: npm run record:cel',
  );
});

test('every difference is of a case', () => {
  for (const name of differences.keys()) assert.ok(Object.hasOwn(responses, name), name);
});

for (const one of celCases) {
  test(one.name, () => {
    const recorded = comparable(responses[one.name] ?? {});
    const ours = withoutPassedCost(ourResponse(bases, one));
    const difference = differences.get(one.name);
    if (difference === undefined) return assert.deepEqual(ours, recorded, one.expression);
    assert.notDeepEqual(ours, recorded, 'no longer different: take it off the list');
    assert.deepEqual(ours, difference.ours, difference.reason);
  });
}
