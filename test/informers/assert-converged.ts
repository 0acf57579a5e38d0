import assert from 'node:assert/strict';
import { describeViolations } from './checker.ts';
import type { RunResult } from './run-result.ts';

/** Every informer told the truth and has what the server has, although it was cut off at least so often. */
export function assertConverged(result: RunResult, { cutsMin }: { cutsMin: number }): void {
  for (const { name, violations } of [...result.lists, ...result.followers]) {
    assert.ok(violations.length === 0, `${name}\n${describeViolations(violations)}`);
  }
  for (const { name, complaints, cuts, calmRelists } of result.followers) {
    assert.deepEqual(complaints, [], name);
    assert.ok(cuts >= cutsMin, `${name} was cut off ${cuts} times, which shows little`);
    // An informer that needs a list gets 410 at every watch.
    assert.equal(calmRelists, 0, `${name} listed again although nothing was cut`);
  }
}
