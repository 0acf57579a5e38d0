/** `npm run bench -- namespace-deletion` measures the same with 10,000 namespaces. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureDeletions } from './many-namespaces.ts';

const NAMESPACES = 500;
const OBJECTS_EACH = 10;
const SAMPLES = 11;
/** Neighbours on the machine make single figures twice as long; what is linear in the store is far above. */
const RATIO_MAX = 3;

test(`a namespace is deleted as fast beside ${NAMESPACES} others as beside a few`, async (t) => {
  const options = { namespaces: NAMESPACES, objectsEach: OBJECTS_EACH, samples: SAMPLES };
  const { full, empty } = await measureDeletions(t, options);
  const ratio = median(full) / median(empty);
  const figures = `${median(full).toFixed(1)} ms against ${median(empty).toFixed(1)} ms`;
  t.diagnostic(`${figures}, ratio ${ratio.toFixed(2)}`);
  assert.ok(ratio <= RATIO_MAX, `${figures}: ${ratio.toFixed(2)} times as long`);
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
