/** Patterns and texts with what Go's regular expressions find: a list by hand, and a seeded random one. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SeededRandom } from '../../test/harness/random.ts';
import { evaluateRegexps, type RegexCase, type RegexResult } from './evaluator.ts';
import { listedPatterns, listedTexts } from './patterns.ts';

export const regexpsFile: string = join(import.meta.dirname, 'regexps.json');

export interface RecordedRegexp extends RegexCase {
  readonly response: RegexResult;
}

export function readRecordedRegexps(): readonly RecordedRegexp[] {
  return JSON.parse(readFileSync(regexpsFile, 'utf8')) as RecordedRegexp[];
}

export async function recordRegexps(): Promise<string> {
  const recorded = await evaluatedRegexps();
  await writeFile(regexpsFile, renderRegexps(recorded));
  return `${recorded.length} patterns: ${regexpsFile}`;
}

export async function evaluatedRegexps(): Promise<readonly RecordedRegexp[]> {
  const cases = regexCases();
  const responses = await evaluateRegexps(cases);
  return cases.map((one, index) => ({ ...one, response: responses[index] ?? {} }));
}

export function renderRegexps(recorded: readonly RecordedRegexp[]): string {
  return `[\n${recorded.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`;
}

const SEED = 20_261_116;
const RANDOM_PATTERNS = 1200;

export function regexCases(): readonly RegexCase[] {
  const random = new SeededRandom(SEED);
  const invented = Array.from({ length: RANDOM_PATTERNS }, () => ({
    pattern: randomPattern(random, 3),
    texts: Array.from({ length: 4 }, () => randomText(random)),
  }));
  return [...listedPatterns.map((pattern) => ({ pattern, texts: listedTexts })), ...invented];
}

const ATOMS = [
  ...['a', 'b', 'A', 'é', 'ß', 'K', '1', '_', ' ', '-', '😀', '.', '.', '^', '$', '\\b', '\\B'],
  ...['\\A', '\\z', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '[ab]', '[^ab]', '[a-c1-3]'],
  ...['[^\\d]', '[[:alpha:]]', '[[:^digit:]]', '[\\w-]', '[é-ü]', '\\pL', '\\PL', '\\p{Lu}'],
  ...['\\p{Greek}', '[^\\p{Ll}a]', '\\n', '\\x61', '\\x{e9}', '\\.', '\\*', '\\Qa.b\\E', '[]a]'],
  ...['[^]a]', '[a-]', '\\C', '\\1', '\\Z', '[b-a]', '[', ')', '{', '}', '{2}', '*', '?', '\\'],
];
const REPEATS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{1,}', '{0,2}', '{1,2}?', '{,2}'];
const GROUPS = ['(', '(?:', '(?i:', '(?s:', '(?m:', '(?U:', '(?-s:', '(?i-m:', '(?P<n>', '(?<m>'];

function randomPattern(random: SeededRandom, depth: number): string {
  const branches = Array.from({ length: random.int(1, depth > 1 ? 3 : 1) }, () =>
    Array.from({ length: random.int(0, 4) }, () => randomPiece(random, depth)).join(''),
  );
  return branches.join('|');
}

function randomPiece(random: SeededRandom, depth: number): string {
  const group = depth > 0 && random.chance(0.25);
  const atom = group
    ? `${random.pick(GROUPS)}${randomPattern(random, depth - 1)})`
    : // The later atoms are often errors, which are wanted more rarely.
      ATOMS[random.int(0, random.chance(0.12) ? ATOMS.length - 1 : 45)];
  return `${atom}${random.chance(0.35) ? random.pick(REPEATS) : ''}`;
}

const PIECES = ['a', 'b', 'A', 'B', 'é', 'É', 'ß', 'k', 'K', 'α', '1', '2', '_', ' ', '-', '\n'];
const RARE = ['😀', '.', '*', 'ſ', '\u212a', 'ab', 'aaa', '\t', '{', ']', '\u2028'];

function randomText(random: SeededRandom): string {
  return Array.from({ length: random.int(0, 12) }, () =>
    random.pick(random.chance(0.2) ? RARE : PIECES),
  ).join('');
}
