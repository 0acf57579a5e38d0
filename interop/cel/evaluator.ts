/** Asks Kubernetes' own CEL, a program in Go, what it makes of expressions and patterns. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { requirePeer } from '../peers/peers.ts';
import type { CelCase } from './case.ts';

/** Costs are decimal text, since they reach 2^64 - 1. */
export interface CelResult {
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: string;
  readonly error?: string;
  readonly estimatedMin?: string;
  readonly estimatedMax?: string;
  readonly actualCost?: string;
  readonly rule?: RuleResult;
}

/** The same expression as a rule of a custom resource. */
export interface RuleResult {
  readonly compileError?: string;
  readonly maxCost?: string;
  readonly maxCardinality?: string;
  readonly usesOldSelf?: boolean;
  readonly errors?: readonly string[];
  /** Of the run-time budget of one custom resource; negative when it is used up. */
  readonly remaining: number;
}

export interface RegexCase {
  readonly pattern: string;
  readonly texts: readonly string[];
}

export interface RegexResult {
  readonly error?: string;
  /** For each text all matches, each as the places of the match and its groups in bytes; -1 is none. */
  readonly matches?: readonly (readonly (readonly number[])[])[];
}

/** It asks itself each question several times, and takes about a minute beside other work. */
const TIMEOUT_MS = 300_000;

export async function evaluateCases(cases: readonly CelCase[]): Promise<Record<string, CelResult>> {
  // Data goes in as it is written, not as a string that holds it.
  const rendered = cases.map(({ self, oldSelf, object, ...rest }) => {
    const data = { self, oldSelf, object };
    const fields = Object.entries(data).flatMap(([key, json]) =>
      json === undefined ? [] : [`${JSON.stringify(key)}:${json}`],
    );
    return `{${[JSON.stringify(rest).slice(1, -1), ...fields].join(',')}}`;
  });
  const { cases: responses = [] } = await runEvaluator(`{"cases":[${rendered.join(',')}]}`);
  return Object.fromEntries(responses.map(({ name, ...response }) => [name, response]));
}

export async function evaluateRegexps(
  regexps: readonly RegexCase[],
): Promise<readonly RegexResult[]> {
  return (await runEvaluator(JSON.stringify({ regexps }))).regexps ?? [];
}

interface Reply {
  readonly cases?: readonly (CelResult & { readonly name: string })[];
  readonly regexps?: readonly RegexResult[];
}

async function runEvaluator(question: string): Promise<Reply> {
  const child = spawn(requirePeer('cel-evaluator'), {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // A judge that fails early closes its input; its exit code tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(question);
  const [response, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`cel-evaluator ended with ${code}`);
  return JSON.parse(response) as Reply;
}
