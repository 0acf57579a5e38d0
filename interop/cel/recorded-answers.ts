import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CelAnswer } from './judge.ts';

export const answersFile: string = join(import.meta.dirname, 'answers.json');

export interface RecordedAnswers {
  readonly program: 'cel-judge';
  readonly version: string;
  readonly answers: Readonly<Record<string, CelAnswer>>;
}

export function readRecordedAnswers(): RecordedAnswers {
  return JSON.parse(readFileSync(answersFile, 'utf8')) as RecordedAnswers;
}

/** One answer a line, so that a new release shows as a readable difference. */
export function renderAnswers({ program, version, answers }: RecordedAnswers): string {
  const lines = Object.entries(answers).map(
    ([name, answer]) => `${JSON.stringify(name)}: ${JSON.stringify(answer)}`,
  );
  const head = `"program": ${JSON.stringify(program)},\n"version": ${JSON.stringify(version)},\n`;
  return `{\n${head}"answers": {\n${lines.join(',\n')}\n}\n}\n`;
}
