import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { inCohorts } from './cohorts.ts';

function recorded() {
  const steps: string[] = [];
  const take = inCohorts<number>({
    first: (member) => void steps.push(`first ${member}`),
    second: (member) => void steps.push(`second ${member}`),
  });
  return { steps, take };
}

test('what comes in one turn has its first step before any has its second', async () => {
  const { steps, take } = recorded();
  take(1);
  take(2);
  assert.deepEqual(steps, [], 'nothing before the turn is over');
  await turn();
  assert.deepEqual(steps, ['first 1', 'first 2', 'second 1', 'second 2']);
});

test('what comes later is a cohort of its own, also when it comes during the steps of another', async () => {
  const steps: string[] = [];
  const take = inCohorts<number>({
    first(member) {
      steps.push(`first ${member}`);
      if (member === 1) take(2);
    },
    second: (member) => void steps.push(`second ${member}`),
  });
  take(1);
  await turn();
  await turn();
  assert.deepEqual(steps, ['first 1', 'second 1', 'first 2', 'second 2']);
});

test('nobody waits for more than 31 others', async () => {
  const { steps, take } = recorded();
  for (let member = 0; member < 100; member += 1) take(member);
  await turn();
  assert.equal(steps.indexOf('second 0'), 32);
  assert.equal(steps.length, 200);
  const responded = steps.filter((step) => step.startsWith('second')).length;
  assert.equal(responded, 100);
});
