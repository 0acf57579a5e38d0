/** `npm run golden:record`: asks the original every row, twice, and stores what it said both times. */
import { performance } from 'node:perf_hooks';
import { createScope } from '../../test/harness/index.ts';
import type { Answer } from '../differential/answer.ts';
import { compareAnswers, formatDifferences } from '../differential/compare.ts';
import { startReference } from '../differential/reference.ts';
import { groups, rows } from '../differential/rows/index.ts';
import { answersTo } from '../differential/run-row.ts';
import type { Target } from '../differential/target.ts';
import { answersDir, writeGolden } from './store.ts';

try {
  process.exitCode = await record();
} catch (error) {
  // Mostly that the programs are not built; the message says how to build them.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function record(): Promise<number> {
  await using scope = createScope('golden answers');
  const target = await startReference(scope);
  const started = performance.now();
  const first = await askAll(target, 'first');
  const second = await askAll(target, 'second');
  const unstable = rows.filter((row) => reportUnstable(row.name, first, second));
  if (unstable.length > 0) {
    process.stderr.write(
      `${unstable.length} rows were answered differently twice; nothing stored\n`,
    );
    return 1;
  }
  await writeGolden(groups, {
    program: target.name,
    version: target.version,
    answers: first,
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  const what = `${rows.length} rows of ${target.name} ${target.version}, twice the same`;
  process.stdout.write(`${what}, in ${seconds} s: ${answersDir}\n`);
  return 0;
}

async function askAll(target: Target, runId: string): Promise<Map<string, Answer[]>> {
  const answers = new Map<string, Answer[]>();
  for (const row of rows) answers.set(row.name, await answersTo(row, target, { runId }));
  return answers;
}

type Answers = ReadonlyMap<string, readonly Answer[]>;

function reportUnstable(name: string, first: Answers, second: Answers): boolean {
  const differences = compareAnswers({
    ours: second.get(name) ?? [],
    reference: first.get(name) ?? [],
  });
  if (differences.length === 0) return false;
  process.stderr.write(`${name}: first (reference) and second (ours) differ\n`);
  process.stderr.write(`${formatDifferences(differences)}\n`);
  return true;
}
