import { measureDeletions } from '../test/faults/many-namespaces.ts';
import { progress } from '../test/harness/index.ts';
import { type Benchmark, median } from './benchmark.ts';
import { residentBytes } from './process-cost.ts';

const NAMESPACES = Number(process.env.BENCH_NAMESPACES ?? 10_000);
const OBJECTS_EACH = 10;
const SAMPLES = 20;

export const namespaceDeletion: Benchmark = {
  name: 'namespace-deletion',
  question: `how long deleting a namespace takes beside ${NAMESPACES} others with ${OBJECTS_EACH} objects each, against an almost empty store`,
  measure: async (scope) => {
    const options = { namespaces: NAMESPACES, objectsEach: OBJECTS_EACH, samples: SAMPLES };
    const { full, empty, fullPid } = await measureDeletions(scope, {
      ...options,
      onProgress: progress,
    });
    const ratio = median(full) / median(empty);
    return [
      `full store:   ${figures(full)}`,
      `almost empty: ${figures(empty)}`,
      `ratio of the medians: ${ratio.toFixed(2)}`,
      `resident memory of the full one: ${Math.round(residentBytes(fullPid) / 2 ** 20)} MiB`,
    ];
  },
};

function figures(timesMs: readonly number[]): string {
  const [low, middle, high] = [Math.min(...timesMs), median(timesMs), Math.max(...timesMs)];
  return `median ${middle.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)}, ${timesMs.length} deletions)`;
}
