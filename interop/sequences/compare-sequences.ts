/** Runs many sequences, several at a time, and shortens those that differ. */
import { SeededRandom } from '../../test/harness/index.ts';
import { allSteps, type Row } from '../differential/row.ts';
import type { Verdict } from '../differential/verdict.ts';
import { randomSequence } from './generate.ts';
import { compareSequence, type Sides } from './run-sequence.ts';
import { shortenSequence } from './shorten-sequence.ts';
import type { World } from './world.ts';

export interface Finding {
  readonly seed: number;
  readonly row: Row;
  readonly message: string;
}

export interface Run {
  readonly count: number;
  readonly steps: number;
  /** Differed once but not again. */
  readonly unsteady: readonly number[];
  /** How often a listed difference was met, by its name. */
  readonly known: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

export interface RunOptions {
  readonly world: World;
  readonly sides: Sides;
  readonly seed: number;
  readonly count: number;
  /** Sequences after the first so many differences are not run. */
  readonly findingsMax?: number;
  /** Leaves out steps that a difference does not need. Default: yes. */
  readonly shorten?: boolean;
  /** See `SequenceOptions`. */
  readonly quietMs?: number;
  /** Tells runs on the same servers apart. */
  readonly prefix?: string;
}

const IN_FLIGHT = 8;
const FINDINGS_MAX = 4;
const QUIET_MS = 300;
/** A difference is one that shows every time. */
const REPEATS = 3;

export async function compareSequences(options: RunOptions): Promise<Run> {
  const {
    world,
    sides,
    count,
    findingsMax = FINDINGS_MAX,
    prefix = 'r',
    shorten = true,
    quietMs = QUIET_MS,
  } = options;
  const findings: Finding[] = [];
  const unsteady: number[] = [];
  const known = new Map<string, number>();
  let [next, steps, done, used, found] = [0, 0, 0, 0, 0];
  const attempt = (row: Row): Promise<Verdict> => {
    used += 1;
    return compareSequence(row, { world, sides, runId: `${prefix}${used}`, quietMs });
  };
  const work = async (): Promise<void> => {
    while (next < count && found < findingsMax) {
      const seed = options.seed + next;
      next += 1;
      const row = randomSequence(world, new SeededRandom(seed));
      const first = await attempt(row);
      steps += allSteps(row.steps).length;
      done += 1;
      for (const id of first.used) known.set(id, (known.get(id) ?? 0) + 1);
      if (first.outcome === 'green' || found >= findingsMax) continue;
      if (!(await isSteady(row, attempt))) unsteady.push(seed);
      else if (found < findingsMax) {
        found += 1;
        const { message } = first;
        const shown = shorten ? await shortenSequence(row, attempt) : { row, message };
        findings.push({ seed, ...shown });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count) }, work));
  return { count: done, steps, unsteady, known, findings };
}

async function isSteady(row: Row, attempt: (row: Row) => Promise<Verdict>): Promise<boolean> {
  for (let time = 1; time < REPEATS; time += 1) {
    if ((await attempt(row)).outcome === 'green') return false;
  }
  return true;
}
