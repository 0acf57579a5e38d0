/** `npm run record:conversion`: asks the original twice, and stores what it said both times. */
import { createScope } from '../../test/harness/index.ts';
import { startCoreReference } from '../core/reference.ts';
import { compareResults, formatDifferences } from '../differential/compare.ts';
import { askConversions, writeRecorded } from './conversion-responses.ts';

await using scope = createScope('conversion webhooks');
const target = await startCoreReference(scope);
const first = await askConversions(scope, target, 'first');
const second = await askConversions(scope, target, 'second');
for (const [name, reference] of Object.entries(first)) {
  const differences = compareResults({ ours: second[name] ?? [], reference });
  if (differences.length === 0) continue;
  process.stderr.write(`${name}: answered differently twice\n${formatDifferences(differences)}\n`);
  process.exitCode = 1;
}
if (process.exitCode === undefined) await writeRecorded(first);
