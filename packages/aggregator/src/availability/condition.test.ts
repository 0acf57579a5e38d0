import assert from 'node:assert/strict';
import test from 'node:test';
import { storedState, withFinding } from './condition.ts';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0, 500);
const up = { status: 'True', reason: 'Passed', message: 'all checks passed' } as const;
const down = { status: 'False', reason: 'FailedDiscoveryCheck', message: 'refused' } as const;
const OLD = '2024-01-01T00:00:00Z';
const other = { type: 'Other', status: 'True', lastTransitionTime: OLD };
const oldUp = { type: 'Available', ...up, lastTransitionTime: OLD };

const cases = [
  {
    name: 'the first condition',
    conditions: undefined,
    finding: up,
    want: [{ type: 'Available', ...up, lastTransitionTime: '2025-01-01T12:00:00Z' }],
  },
  {
    name: 'other types stay where they are, another status has a new time',
    conditions: [oldUp, other],
    finding: down,
    want: [{ type: 'Available', ...down, lastTransitionTime: '2025-01-01T12:00:00Z' }, other],
  },
  {
    name: 'the same status keeps its time, whatever the reason',
    conditions: [other, oldUp],
    finding: { ...up, reason: 'Local', message: 'here' },
    want: [other, { ...oldUp, reason: 'Local', message: 'here' }],
  },
];
for (const { name, conditions, finding, want } of cases) {
  test(name, () => assert.deepEqual(withFinding(conditions, finding, NOW), want));
}

const beliefs = [
  { name: 'nothing', conditions: undefined, want: undefined },
  { name: 'another type only', conditions: [other], want: undefined },
  {
    name: 'a status that nobody knows',
    conditions: [{ ...oldUp, status: 'Maybe' }],
    want: undefined,
  },
  {
    name: 'what is written',
    conditions: [oldUp],
    want: { ...up, sinceMs: Date.UTC(2024, 0, 1), lastSuccessMs: undefined },
  },
  {
    name: 'without a time',
    conditions: [{ type: 'Available', status: 'Unknown', lastTransitionTime: null }],
    want: { status: 'Unknown', reason: '', message: '', sinceMs: NOW, lastSuccessMs: undefined },
  },
];
for (const { name, conditions, want } of beliefs) {
  test(`believed: ${name}`, () => assert.deepEqual(storedState(conditions, NOW), want));
}
