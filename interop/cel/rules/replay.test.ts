/** Ours says of every scenario what the real server said when it was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rootPlural } from './ask-server.ts';
import { ourProblems, ourRootVerdict, ourVerdict } from './ours.ts';
import { problemCases } from './problems.ts';
import { readRecordedVerdicts } from './recorded-verdicts.ts';
import { rootScenarios } from './scenarios/roots.ts';
import { scenarios } from './scenarios.ts';

const recorded = readRecordedVerdicts();

test('every scenario is recorded once, and nothing else', () => {
  const names = [...scenarios, ...rootScenarios].map(({ name }) => name);
  assert.deepEqual(Object.keys(recorded.scenarios), names, 'run: npm run record:cel');
  const problems = problemCases.map(({ name }) => name);
  assert.deepEqual(Object.keys(recorded.problems), problems, 'run: npm run record:cel');
});

for (const [index, scenario] of scenarios.entries()) {
  test(scenario.name, async () => {
    const verdict = await ourVerdict(scenario, `case${index}`);
    assert.deepEqual(verdict, recorded.scenarios[scenario.name]);
  });
}

for (const [index, scenario] of rootScenarios.entries()) {
  test(scenario.name, async () => {
    const verdict = await ourRootVerdict(scenario, rootPlural(index));
    assert.deepEqual(verdict, recorded.scenarios[scenario.name]);
  });
}

for (const one of problemCases) {
  test(one.name, () => assert.deepEqual(ourProblems(one), recorded.problems[one.name]));
}
