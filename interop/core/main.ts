/** Rows of the control plane against our program, for its development: every difference is shown, to-do or not. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createScope } from '../../test/harness/index.ts';
import type { Row } from '../differential/row.ts';
import { resultsOf } from '../differential/run-row.ts';
import type { Target } from '../differential/target.ts';
import { compareRow, type Lists } from '../differential/verdict.ts';
import { readGolden, recordedResponses } from '../golden/store.ts';
import { startOurCore, whyNotOurs } from './ours.ts';
import { startCoreReference } from './reference.ts';
import { groups } from './rows/index.ts';
import { coreSuite } from './suite.ts';
import { shrinkTodo, type TodoFile, todoFile } from './todo.ts';

const HELP = `Usage: node scripts/run.mjs interop/core/main.ts [FILTER…] [options]

Sends rows to "tributary up" and shows where its answers differ from those of kube-apiserver. A FILTER is the name of
a group, or a part of a row's name; without one, all rows are sent.

  --list       only the names of the rows
  --golden     what kube-apiserver answered when it was recorded
  --reference  what kube-apiserver answers now (needs "npm run peers")
  --brief      only the names of the rows that differ
  --shrink     takes rows that are green off the to-do list
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    golden: { type: 'boolean', default: false },
    reference: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

process.exitCode = await main(selectRows(positionals));

async function main(rows: readonly Row[]): Promise<number> {
  if (values.help) return print(HELP);
  if (rows.length === 0) return print(`no row matches ${positionals.join(', ')}`) + 1;
  if (values.list) return print(rows.map(({ name }) => name).join('\n'));
  if (values.golden) return showGolden(rows);
  await using scope = createScope('core rows');
  if (values.reference) return await showResponses(rows, await startCoreReference(scope));
  const why = await whyNotOurs();
  if (why !== undefined) return print(why) + 1;
  return await compare(rows, await startOurCore(scope)); // the server must not be stopped before
}

function selectRows(filters: readonly string[]): Row[] {
  if (filters.length === 0) return groups.flatMap(({ rows }) => rows);
  return groups.flatMap(({ name: group, rows }) =>
    rows.filter(({ name }) => filters.some((part) => part === group || name.includes(part))),
  );
}

async function showGolden(rows: readonly Row[]): Promise<number> {
  const golden = await readGolden(coreSuite.responsesDir);
  for (const row of rows) show(row, recordedResponses(golden, row));
  return 0;
}

async function showResponses(rows: readonly Row[], target: Target): Promise<number> {
  for (const row of rows) show(row, await ask(row, target));
  return 0;
}

function show(row: Row, responses: unknown): void {
  print(`${row.name}\n${JSON.stringify({ asked: row.steps, responses }, undefined, 2)}`);
}

async function compare(rows: readonly Row[], target: Target): Promise<number> {
  const golden = await readGolden(coreSuite.responsesDir);
  // Without the to-do list, what is on it shows its differences like any other row.
  const lists: Lists = { ...coreSuite.lists, todoRows: [] };
  const green = new Set<string>();
  for (const row of rows) {
    const sides = { ours: await ask(row, target), reference: recordedResponses(golden, row) };
    const verdict = compareRow(row.name, sides, lists);
    if (verdict.outcome === 'green') green.add(row.name);
    else print(values.brief ? row.name : verdict.message);
  }
  print(`${rows.length} rows: ${green.size} green, ${rows.length - green.size} differ`);
  if (values.shrink) await shrink(green);
  return green.size === rows.length ? 0 : 1;
}

async function shrink(green: ReadonlySet<string>): Promise<void> {
  const before = JSON.parse(await readFile(todoFile, 'utf8')) as TodoFile;
  await writeFile(todoFile, `${JSON.stringify(shrinkTodo(before, green), undefined, 2)}\n`);
}

function ask(row: Row, target: Target) {
  const { sharedRevisions } = coreSuite;
  return resultsOf(row, target, { runId: 'row', sharedRevisions });
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}
