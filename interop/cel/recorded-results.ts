import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CelResult } from './evaluator.ts';

export const responsesFile: string = join(import.meta.dirname, 'recorded-results.json');

export interface RecordedResults {
  readonly program: 'cel-evaluator';
  readonly version: string;
  readonly responses: Readonly<Record<string, CelResult>>;
}

export function readRecordedResponses(): RecordedResults {
  return JSON.parse(readFileSync(responsesFile, 'utf8')) as RecordedResults;
}

/** One answer a line, so that a new release shows as a readable difference. */
export function renderResults({ program, version, responses }: RecordedResults): string {
  const lines = Object.entries(responses).map(
    ([name, response]) => `${JSON.stringify(name)}: ${JSON.stringify(response)}`,
  );
  const head = `"program": ${JSON.stringify(program)},\n"version": ${JSON.stringify(version)},\n`;
  return `{\n${head}"answers": {\n${lines.join(',\n')}\n}\n}\n`;
}
