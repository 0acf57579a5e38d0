import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyResult } from './policy-result.ts';

export const responsesFile = join(import.meta.dirname, 'recorded-results.json');

export interface RecordedResults {
  readonly program: 'kube-apiserver';
  readonly version: string;
  readonly responses: Readonly<Record<string, PolicyResult>>;
}

export function readRecordedResponses(): RecordedResults {
  return JSON.parse(readFileSync(responsesFile, 'utf8')) as RecordedResults;
}
