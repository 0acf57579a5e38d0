/**
 * `npm run golden:record -- [SUITE…] [--changed]`: asks the originals every row, twice, and stores what they said both times.
 * With `--changed` only rows that are new or were edited; the answers to the others stay, as do those to rows that were
 * answered differently twice: these are printed, and the exit code is 1.
 */
import { performance } from 'node:perf_hooks';
import { createScope, type TestScope } from '../../test/harness/index.ts';
import { startAggregatorReference } from '../aggregator/reference.ts';
import { aggregatorSuite } from '../aggregator/suite.ts';
import { startCoreReference } from '../core/reference.ts';
import { coreSuite } from '../core/suite.ts';
import { compareResults, formatDifferences } from '../differential/compare.ts';
import { startReference } from '../differential/reference.ts';
import type { Row } from '../differential/row.ts';
import { resultsOf } from '../differential/run-row.ts';
import type { StepResult } from '../differential/step-result.ts';
import { rowsOf, type Suite, wardleSuite } from '../differential/suite.ts';
import type { Target } from '../differential/target.ts';
import { failedSteps, readGolden, rowDigest, writeGolden } from './store.ts';

interface Recordable {
  suite: Suite;
  start(scope: TestScope): Promise<Target>;
}

/** Between two lines of progress. */
const PROGRESS_ROWS = 200;

const all: readonly Recordable[] = [
  { suite: wardleSuite, start: startReference },
  { suite: coreSuite, start: startCoreReference },
  { suite: aggregatorSuite, start: startAggregatorReference },
];

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Mostly that the programs are not built; the message says how to build them.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(args: readonly string[]): Promise<number> {
  const isPartial = args.includes('--changed');
  const names = args.filter((arg) => arg !== '--changed');
  const unknown = names.filter((name) => all.every(({ suite }) => suite.name !== name));
  if (unknown.length > 0) throw new Error(`no suite is called ${unknown.join(', ')}`);
  const wanted = all.filter(({ suite }) => names.length === 0 || names.includes(suite.name));
  let failed = 0;
  for (const recordable of wanted) failed += await record(recordable, isPartial);
  return failed === 0 ? 0 : 1;
}

async function record({ suite, start }: Recordable, isPartial: boolean): Promise<number> {
  await using scope = createScope(`golden answers of ${suite.name}`);
  // Two servers at the same time: most of a row's time is waiting, and a fact of one server alone is no fact.
  const [target, other] = await Promise.all([start(scope), start(scope)]);
  const started = performance.now();
  const golden = await readGolden(suite.responsesDir);
  const isRetained = (row: Row) => isPartial && golden.get(row.name)?.digest === rowDigest(row);
  const rows = rowsOf(suite).filter((row) => !isRetained(row));
  const [first, second] = await Promise.all([
    askAll(rows, suite, { target, runId: 'first' }),
    askAll(rows, suite, { target: other, runId: 'second' }),
  ]);
  const unstable = rows.filter((row) => reportUnstable(row.name, first, second));
  const broken = rows.filter((row) => reportBroken(row.name, first));
  for (const { name } of [...unstable, ...broken]) first.delete(name);
  await writeGolden(
    suite.groups,
    {
      program: target.name,
      version: target.version,
      responses: new Map([
        ...[...golden].map(([name, { responses }]) => [name, responses] as const),
        ...first,
      ]),
    },
    suite.responsesDir,
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  const what = `${first.size} rows of ${target.name} ${target.version}, twice the same`;
  process.stdout.write(`${what}, in ${seconds} s: ${suite.responsesDir}\n`);
  if (unstable.length + broken.length === 0) return 0;
  const count = `${unstable.length} rows were answered differently twice`;
  process.stderr.write(`${count}, ${broken.length} failed; those were not stored\n`);
  return 1;
}

async function askAll(
  rows: readonly Row[],
  { sharedRevisions }: Suite,
  { target, runId }: { target: Target; runId: string },
): Promise<Map<string, StepResult[]>> {
  const responses = new Map<string, StepResult[]>();
  for (const row of rows) {
    responses.set(row.name, await resultsOf(row, target, { runId, sharedRevisions }));
    if (responses.size % PROGRESS_ROWS === 0) {
      process.stdout.write(`${runId}: ${responses.size} of ${rows.length} rows\n`);
    }
  }
  return responses;
}

type Responses = ReadonlyMap<string, readonly StepResult[]>;

function reportUnstable(name: string, first: Responses, second: Responses): boolean {
  const differences = compareResults({
    ours: second.get(name) ?? [],
    reference: first.get(name) ?? [],
  });
  if (differences.length === 0) return false;
  process.stderr.write(`${name}: first (reference) and second (ours) differ\n`);
  process.stderr.write(`${formatDifferences(differences)}\n`);
  return true;
}

/** A row whose request never arrived proves nothing. */
function reportBroken(name: string, responses: Responses): boolean {
  const failed = failedSteps(responses.get(name) ?? []);
  for (const { step, why } of failed) process.stderr.write(`${name}: step ${step}: ${why}\n`);
  return failed.length > 0;
}
