/** The output of each release of kubectl with the real kube-apiserver; `record.ts` writes it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Saying } from './normalise.ts';

export interface RecordedStep {
  run: string;
  /** Releases that say the same share an answer. */
  responses: (Saying & { releases: string[] })[];
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

/**
 * Repair controllers of kube-apiserver race with the creation of a Service: when their cache lags, they emit an Event
 * such as ClusterIPNotAllocated that another run does not have.
 */
const EVENT_BY_CHANCE = /\b(?:ip|port)allocator-repair-controller\b/;

/** The first line that another run of the same command may not have. */
export function lineByChance({ stdout, stderr }: Pick<Saying, 'stdout' | 'stderr'>) {
  return [...stdout, ...stderr].find((line) => EVENT_BY_CHANCE.test(line));
}

/** Throws when the answer depends on chance; the script must then be recorded again. */
export function addResponse(step: RecordedStep, release: string, said: Saying): void {
  const line = lineByChance(said);
  if (line !== undefined) {
    throw new Error(
      `"kubectl ${step.run}" of ${release} shows what another run may not: ${line.trim()}; record the script again`,
    );
  }
  const same = step.responses.find(({ releases: _, ...response }) =>
    isDeepStrictEqual(response, said),
  );
  if (same) same.releases.push(release);
  else step.responses.push({ releases: [release], ...said });
}

export function responseFor(
  step: RecordedStep | undefined,
  release: string,
): { said: Saying } | undefined {
  const found = step?.responses.find(({ releases }) => releases.includes(release));
  if (found === undefined) return undefined;
  const { releases: _, ...said } = found;
  return { said };
}

function fileOf(script: string): string {
  return join(directory, `${script}.json`);
}
