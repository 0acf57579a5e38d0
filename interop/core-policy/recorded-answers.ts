import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PolicyAnswer } from './answer.ts';

export const answersFile = join(import.meta.dirname, 'answers.json');

export interface RecordedAnswers {
  readonly program: 'kube-apiserver';
  readonly version: string;
  readonly answers: Readonly<Record<string, PolicyAnswer>>;
}

export function readRecordedAnswers(): RecordedAnswers {
  return JSON.parse(readFileSync(answersFile, 'utf8')) as RecordedAnswers;
}
