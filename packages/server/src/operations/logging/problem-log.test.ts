import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '@tributary/storage';
import { problemLog } from './problem-log.ts';

test('the same problem is written once in a while, others at once', () => {
  const clock = manualClock();
  const lines: string[] = [];
  const report = problemLog(clock, (line) => lines.push(line.split('\n')[0] ?? ''));
  for (let at = 0; at < 5; at += 1) report(new Error('disk full'));
  report(new Error('other'));
  assert.deepEqual(lines, ['Error: disk full', 'Error: other']);
  clock.advance(10_000);
  report(new Error('disk full'));
  report('a text');
  assert.deepEqual(lines.slice(2), ['Error: disk full', 'a text']);
});
