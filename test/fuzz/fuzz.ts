/** Feeds a parser with mutated inputs and says which one broke it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '../harness/index.ts';
import { mutate } from './mutator.ts';
import type { FuzzTarget } from './target.ts';

export interface FuzzOptions {
  readonly inputs: number;
  readonly random: SeededRandom;
  /** Told what an input took of this process's CPU, in milliseconds. */
  readonly onCost?: (cpuMs: number, input: Buffer) => void;
}

export interface FuzzResult {
  readonly inputs: number;
  readonly accepted: number;
  readonly refused: number;
  /** Different outcomes seen. */
  readonly outcomes: number;
}

const BYTES_MAX = 4096;
/** New outcomes that are kept as parents; more would drown the corpus. */
const POOL_MAX = 500;

/** Throws at the first input that breaks the parser, with the input in base64. */
export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzResult> {
  const { encoding = 'utf8', bytesMax = BYTES_MAX, tokens } = target;
  const corpus = readCorpus(target);
  const settings = {
    random: options.random,
    pool: [...corpus],
    tokens: tokens.map((token) => Buffer.from(token, encoding)),
    bytesMax,
  };
  const outcomes = new Set<string>();
  let accepted = 0;
  let refused = 0;
  for (let at = 0; at < options.inputs; at += 1) {
    const input = corpus[at] ?? mutate(settings);
    const { isRefusal, outcome } = await tryOne(target, input, options.onCost);
    if (isRefusal) refused += 1;
    else accepted += 1;
    if (outcomes.has(outcome)) continue;
    outcomes.add(outcome);
    if (settings.pool.length < POOL_MAX) settings.pool.push(input);
  }
  return { inputs: options.inputs, accepted, refused, outcomes: outcomes.size };
}

export function readCorpus({ corpus, encoding = 'utf8' }: FuzzTarget): Buffer[] {
  const path = join(import.meta.dirname, 'corpus', `${corpus}.json`);
  const texts = JSON.parse(readFileSync(path, 'utf8')) as string[];
  return texts.map((text) => Buffer.from(text, encoding));
}

/** One input, as in a run; for tests of inputs that are known. */
export async function tryOne(
  target: FuzzTarget,
  input: Buffer,
  onCost?: FuzzOptions['onCost'],
): Promise<{ isRefusal: boolean; outcome: string }> {
  const before = process.cpuUsage();
  try {
    const result = target.run(input);
    const outcome = typeof result === 'string' ? result : await result;
    return { isRefusal: false, outcome };
  } catch (error) {
    if (target.refuses(error)) return { isRefusal: true, outcome: shapeOf(String(error)) };
    const shown = input.toString('base64');
    throw new Error(`${target.name} broke at an input, in base64: ${shown}`, { cause: error });
  } finally {
    if (onCost !== undefined) {
      const { user, system } = process.cpuUsage(before);
      onCost((user + system) / 1000, input);
    }
  }
}

const SHAPE_LENGTH = 80;

/** Messages that differ in what they quote are one outcome. */
function shapeOf(message: string): string {
  return message
    .slice(0, 4 * SHAPE_LENGTH)
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`/g, '""')
    .replace(/\d+/g, '#')
    .slice(0, SHAPE_LENGTH);
}
