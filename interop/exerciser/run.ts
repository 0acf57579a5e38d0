/** Runs the program client-exerciser against a server. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { requirePeer } from '../peers/peers.ts';

/** One step, and what the client saw. */
export interface Line {
  readonly step: string;
  readonly code: number;
  readonly [field: string]: unknown;
}

export type Part = 'typed' | 'dynamic';

/** In the namespace `exercise`, which must exist. */
export const EXERCISE_NAMESPACE = 'exercise';
/** Of the program itself, which gives up after two minutes; it takes seconds. */
const TIMEOUT_MS = 130_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export async function runExerciser(kubeconfig: string, part: Part): Promise<Line[]> {
  const { stdout } = await promisify(execFile)(
    requirePeer('client-exerciser'),
    [`--kubeconfig=${kubeconfig}`, `--part=${part}`, `--namespace=${EXERCISE_NAMESPACE}`],
    { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX },
  );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
