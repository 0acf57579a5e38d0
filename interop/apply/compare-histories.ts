/** Runs many histories, several at a time, and shortens those that differ. */
import { SeededRandom } from '../../test/harness/index.ts';
import { randomHistory } from './generate.ts';
import { type Difference, type Outcome, type Place, runHistory } from './run-history.ts';
import type { Side } from './side.ts';
import type { History } from './step.ts';
import type { Subject } from './subject.ts';

export interface Finding {
  readonly seed: number;
  readonly history: History;
  readonly difference: Difference;
}

export interface Run {
  readonly count: number;
  readonly steps: number;
  /** Differed once but not again: the original has an order of its own, or a second ended in between. */
  readonly unsteady: number;
  /** How often a listed difference was met, by its reason. */
  readonly known: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

export interface RunOptions {
  readonly subject: Subject;
  readonly sides: readonly [Side, Side];
  readonly namespace: string;
  readonly seed: number;
  readonly count: number;
  /** Histories after the first so many differences are not run. */
  readonly findingsMax?: number;
  /** Tells histories of different runs apart. */
  readonly prefix: string;
}

const IN_FLIGHT = 12;
const FINDINGS_MAX = 5;
/** A difference is one that shows every time. */
const REPEATS = 3;
const SHORTENINGS_MAX = 150;

export async function compareHistories(options: RunOptions): Promise<Run> {
  const { subject, count, findingsMax = FINDINGS_MAX } = options;
  const findings: Finding[] = [];
  const known = new Map<string, number>();
  let [next, steps, unsteady, done, found] = [0, 0, 0, 0, 0];
  const attempt = attempts(options);
  const work = async (): Promise<void> => {
    while (next < count && found < findingsMax) {
      const seed = options.seed + next;
      next += 1;
      const history = randomHistory(subject, new SeededRandom(seed));
      const first = await attempt(history);
      steps += history.length;
      done += 1;
      for (const reason of first.known) known.set(reason, (known.get(reason) ?? 0) + 1);
      if (first.differs === undefined) continue;
      const finding = await confirmed(history, attempt);
      if (finding === undefined) unsteady += 1;
      else if (found < findingsMax) {
        found += 1;
        findings.push({ seed, ...(await shortened(finding, attempt)) });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, count) }, work));
  return { count: done, steps, unsteady, known, findings };
}

type Attempt = (history: History) => Promise<Outcome>;

/** Runs histories on new objects. */
export function attempts({
  subject,
  sides,
  namespace,
  prefix,
}: Pick<RunOptions, 'subject' | 'sides' | 'namespace' | 'prefix'>): Attempt {
  let used = 0;
  return (history) => {
    used += 1;
    const place: Place = { subject, namespace, name: `${prefix}-${used}` };
    return runHistory(history, sides, place);
  };
}

type Shown = Omit<Finding, 'seed'>;

async function confirmed(history: History, attempt: Attempt): Promise<Shown | undefined> {
  let difference: Difference | undefined;
  for (let time = 1; time < REPEATS; time += 1) {
    difference = (await attempt(history)).differs;
    if (difference === undefined) return undefined;
  }
  return difference && { history: history.slice(0, difference.at + 1), difference };
}

/** Leaves out steps for as long as a difference remains, from the end to the beginning. */
export async function shortened(shown: Shown, attempt: Attempt): Promise<Shown> {
  let best = shown;
  let left = SHORTENINGS_MAX;
  const tryOut = async (history: History): Promise<boolean> => {
    left -= 1;
    const difference = (await attempt(history)).differs;
    if (difference === undefined || (await attempt(history)).differs === undefined) return false;
    best = { history: history.slice(0, difference.at + 1), difference };
    return true;
  };
  for (let at = best.history.length - 2; at >= 0 && left > 0; at -= 1) {
    if (at < best.history.length) await tryOut(best.history.filter((_, index) => index !== at));
  }
  for (let at = 0; at < best.history.length; at += 1) {
    while (left > 0) {
      const smaller = smallerSteps(best.history, at);
      let found = false;
      for (const history of smaller) {
        if (left > 0 && (await tryOut(history))) {
          found = true;
          break;
        }
      }
      if (!found) break;
    }
  }
  return best;
}

/** The history with one of its steps saying less. */
function* smallerSteps(history: History, at: number): Generator<History> {
  const step = history[at];
  if (step === undefined) return;
  const withStep = (changed: unknown): History =>
    history.map((one, index) => (index === at ? (changed as typeof one) : one));
  if ('edits' in step) {
    for (const edit of step.edits) {
      yield withStep({ ...step, edits: step.edits.filter((one) => one !== edit) });
    }
  }
  if (!('body' in step)) return;
  if (Array.isArray(step.body)) {
    for (const operation of step.body) {
      yield withStep({ ...step, body: step.body.filter((one: unknown) => one !== operation) });
    }
    return;
  }
  for (const smaller of smallerObjects(step.body as Record<string, unknown>)) {
    yield withStep({ ...step, body: smaller });
  }
}

const RETAINED = new Set(['apiVersion', 'kind', 'name']);

function* smallerObjects(value: Record<string, unknown>): Generator<Record<string, unknown>> {
  for (const [name, inner] of Object.entries(value)) {
    if (RETAINED.has(name)) continue;
    if (name !== 'metadata') {
      const { [name]: _gone, ...rest } = value;
      yield rest;
    }
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    for (const smaller of smallerObjects(inner as Record<string, unknown>)) {
      yield { ...value, [name]: smaller };
    }
  }
}
