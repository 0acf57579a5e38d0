import assert from 'node:assert/strict';
import { describeViolations } from './checker.ts';
import type { RunResult } from './run.ts';

/** Every informer told the truth and has what the server has, although it was cut off at least so often. */
export function assertConverged({ followers }: RunResult, { cutsMin }: { cutsMin: number }): void {
  for (const { name, violations, complaints, cuts } of followers) {
    assert.ok(violations.length === 0, `${name}\n${describeViolations(violations)}`);
    assert.deepEqual(complaints, [], name);
    assert.ok(cuts >= cutsMin, `${name} was cut off ${cuts} times, which shows little`);
  }
}
