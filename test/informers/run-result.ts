/** The result of a run of informers. */
import type { Violation } from './checker.ts';

/** The result of one informer. */
export interface FollowerResult {
  /** Of the library, and of the way that it came. */
  readonly name: string;
  readonly violations: readonly Violation[];
  readonly complaints: readonly string[];
  /** How often its connection was cut. */
  readonly cuts: number;
  readonly relists: number;
  /** Those that came when nothing was cut any more, and all that was missed had been caught up. */
  readonly calmRelists: number;
  readonly events: number;
  /** How long after the last change it was like the server. */
  readonly settledMs: number | undefined;
}

/** The final list, where it did not come from the server itself. */
export interface ListResult {
  readonly name: string;
  readonly violations: readonly Violation[];
}

export interface RunResult {
  readonly changes: number;
  readonly changesMs: number;
  readonly objects: number;
  /** The names of what was killed, in order. */
  readonly killed: readonly string[];
  readonly followers: readonly FollowerResult[];
  readonly lists: readonly ListResult[];
}

export function describeRun(result: RunResult): string {
  const { changes, changesMs, objects, killed, followers } = result;
  const kills = killed.length === 0 ? '' : `, killed: ${killed.join(', ')}`;
  const lines = followers.map(({ name, cuts, relists, events, settledMs }) => {
    const end = settledMs === undefined ? 'did not settle' : `settled after ${seconds(settledMs)}`;
    return `${name}: ${events} events, ${cuts} cuts, ${relists} lists again, ${end}`;
  });
  return [
    `${changes} changes in ${seconds(changesMs)}, ${objects} objects left${kills}`,
    ...lines,
  ].join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
