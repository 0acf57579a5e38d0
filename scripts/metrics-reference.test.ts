import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { metricsReference } from './metrics-reference.ts';

test('docs/reference/metrics.md lists exactly the metrics of the code', () => {
  const file = join(import.meta.dirname, '..', 'docs', 'reference', 'metrics.md');
  assert.equal(readFileSync(file, 'utf8'), metricsReference(), 'npm run update:metrics');
});
