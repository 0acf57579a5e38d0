/** What each release of kubectl says when the real kube-apiserver answers; `record.ts` writes it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Saying } from './normalise.ts';

export interface RecordedStep {
  run: string;
  /** Releases that say the same share an answer. */
  answers: (Saying & { releases: string[] })[];
}

const directory = join(import.meta.dirname, 'fixtures');

export async function readRecording(script: string): Promise<RecordedStep[]> {
  return JSON.parse(await readFile(fileOf(script), 'utf8')) as RecordedStep[];
}

export async function writeRecording(script: string, steps: readonly RecordedStep[]) {
  await mkdir(directory, { recursive: true });
  await writeFile(fileOf(script), `${JSON.stringify(steps, null, 1)}\n`);
}

/** A release is its minor version: patches do not change what is said. */
export function releaseOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

export function addAnswer(step: RecordedStep, release: string, said: Saying): void {
  const same = step.answers.find(({ releases: _, ...answer }) => isDeepStrictEqual(answer, said));
  if (same) same.releases.push(release);
  else step.answers.push({ releases: [release], ...said });
}

export function answerFor(
  step: RecordedStep | undefined,
  release: string,
): { said: Saying } | undefined {
  const found = step?.answers.find(({ releases }) => releases.includes(release));
  if (found === undefined) return undefined;
  const { releases: _, ...said } = found;
  return { said };
}

function fileOf(script: string): string {
  return join(directory, `${script}.json`);
}
