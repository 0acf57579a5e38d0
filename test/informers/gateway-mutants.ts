/** Aggregators with one fault each in what they pass on of a watch. */
import type { Rule } from './checker.ts';

export interface GatewayMutant {
  readonly name: string;
  /** The rules that detect it; with none, no rule may object. */
  readonly rules: readonly Rule[];
  /** Does it to the lines of one watch. An own state for each. */
  spoil(): (line: string) => readonly string[];
}

/** A fault happens once in so many events. */
const RARELY = 25;

export const gatewayMutants: readonly GatewayMutant[] = [
  { name: 'none', rules: [], spoil: () => (line) => [line] },
  { name: 'drops an event', rules: ['missed', 'stale', 'lost', 'left over'], spoil: drop },
  { name: 'repeats an event', rules: ['repeated', 'unknown', 'reordered'], spoil: repeat },
  { name: 'swaps two events', rules: ['reordered', 'missed', 'unknown'], spoil: swap },
];

function drop(): (line: string) => readonly string[] {
  const isDue = rarely();
  return (line) => (isDue(line) ? [] : [line]);
}

/** Later, like a client that returns to an earlier position. */
function repeat(): (line: string) => readonly string[] {
  const isDue = rarely();
  let before: string | undefined;
  return (line) => {
    if (!isEvent(line)) return [line];
    const lines = before !== undefined && isDue(line) ? [line, before] : [line];
    before = line;
    return lines;
  };
}

function swap(): (line: string) => readonly string[] {
  const isDue = rarely();
  let held: string | undefined;
  return (line) => {
    if (!isEvent(line)) return [line];
    if (held !== undefined) {
      const lines = [line, held];
      held = undefined;
      return lines;
    }
    if (!isDue(line)) return [line];
    held = line;
    return [];
  };
}

function rarely(): (line: string) => boolean {
  let events = 0;
  return (line) => {
    if (!isEvent(line)) return false;
    events += 1;
    return events % RARELY === 0;
  };
}

/** A bookmark tells of no object. */
function isEvent(line: string): boolean {
  return /^\{"type":"(ADDED|MODIFIED|DELETED)"/.test(line);
}
