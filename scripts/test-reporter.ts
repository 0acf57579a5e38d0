/**
 * Runs in the process of the test files and writes one JSON record per line for the runner. Writes are synchronous,
 * so that a killed process loses nothing.
 */
import { appendFileSync } from 'node:fs';
import { inspect } from 'node:util';
import type { TestRecord } from './test-record.ts';

export const RECORDS_VARIABLE = 'TRIBUTARY_TEST_RECORDS';

// This module is loaded with --import before the test file, and again as the reporter.
const recordsFile = process.env[RECORDS_VARIABLE];
hideFromChildren();

/** The fields that the reporter reads of a node:test event. */
interface ReporterEvent {
  type: string;
  data: {
    name?: string;
    nesting?: number;
    message?: string;
    file?: string | undefined;
    line?: number | undefined;
    skip?: string | boolean | undefined;
    todo?: string | boolean | undefined;
    details?: { type?: string | undefined; duration_ms?: number; error?: unknown };
  };
}

// biome-ignore lint/style/noDefaultExport: node:test takes the default export of a reporter
export default async function* report(
  source: AsyncIterable<ReporterEvent>,
): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const event of source) {
    const record = toRecord(event, path);
    if (record !== undefined) write(record);
  }
  yield ''; // A reporter must be a generator; the file contains all results.
}

/** `path` holds the names from the outermost test to the one that started last. */
export function toRecord({ type, data }: ReporterEvent, path: string[]): TestRecord | undefined {
  const { name = '', nesting = 0 } = data;
  switch (type) {
    case 'test:dequeue':
      return { type: 'begin', name, nesting };
    case 'test:complete':
      return { type: 'over', name, nesting };
    case 'test:start': // These events are in the order of results; dequeue and complete are in the order of execution.
      path.splice(nesting, Infinity, name);
      return undefined;
    case 'test:pass':
    case 'test:fail':
      return resultRecord({ type, data }, [...path.slice(0, nesting), name]);
    case 'test:diagnostic':
      return { type: 'diagnostic', message: data.message ?? '' };
    case 'test:summary':
      return { type: 'end' };
    default:
      return undefined;
  }
}

function resultRecord({ type, data }: ReporterEvent, path: string[]): TestRecord {
  const { skip, todo, details, file, line } = data;
  const base = {
    path,
    suite: details?.type === 'suite',
    durationMs: details?.duration_ms ?? 0,
    where: file === undefined ? '' : `${file}:${line ?? 0}`,
  };
  if (isMarked(skip))
    return { type: 'result', outcome: 'skipped', reason: reasonOf(skip), ...base };
  if (isMarked(todo)) return { type: 'result', outcome: 'todo', reason: reasonOf(todo), ...base };
  if (type === 'test:pass') return { type: 'result', outcome: 'passed', ...base };
  const { failure, error } = describeError(details?.error);
  return { type: 'result', outcome: 'failed', failure, error, ...base };
}

/** A skip without a reason arrives as true or as an empty string. */
function isMarked(mark: string | boolean | undefined): mark is string | true {
  return mark === true || typeof mark === 'string';
}

function reasonOf(mark: string | true): string {
  return mark === true ? '' : mark;
}

/** node:test wraps the error of the test; the report shows the original error. */
function describeError(error: unknown): { failure: string; error: string } {
  if (!(error instanceof Error)) return { failure: '', error: inspect(error) };
  const failure = 'failureType' in error ? String(error.failureType) : '';
  const thrown = error.cause instanceof Error ? error.cause : undefined;
  const text = thrown === undefined ? error.message : inspect(thrown, { depth: 8 });
  return { failure, error: failure === 'hookFailed' ? `${error.message}\n${text}` : text };
}

function write(record: TestRecord): void {
  if (recordsFile !== undefined) appendFileSync(recordsFile, `${JSON.stringify(record)}\n`);
}

/** Tests start programs and whole test runs, which must not report into this run. */
function hideFromChildren(): void {
  delete process.env[RECORDS_VARIABLE];
  process.execArgv = process.execArgv.filter(
    (flag) => !flag.startsWith('--test-') && !flag.includes(import.meta.filename),
  );
}
