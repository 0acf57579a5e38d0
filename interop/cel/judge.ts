/** Asks Kubernetes' own CEL, a program in Go, what it makes of expressions and patterns. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { requirePeer } from '../peers/peers.ts';
import type { CelCase } from './case.ts';

/** What was found; costs are decimal text, since they reach 2^64 - 1. */
export interface CelAnswer {
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: string;
  readonly error?: string;
  readonly estimatedMin?: string;
  readonly estimatedMax?: string;
  readonly actualCost?: string;
  readonly rule?: RuleAnswer;
}

/** The same expression as a rule of a custom resource. */
export interface RuleAnswer {
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

export interface RegexAnswer {
  readonly error?: string;
  /** For each text all matches, each as the places of the match and its groups in bytes; -1 is none. */
  readonly matches?: readonly (readonly (readonly number[])[])[];
}

/** It asks itself each question several times, and takes about a minute beside other work. */
const TIMEOUT_MS = 300_000;

export async function judgeCases(cases: readonly CelCase[]): Promise<Record<string, CelAnswer>> {
  // Data goes in as it is written, not as a string that holds it.
  const rendered = cases.map(({ self, oldSelf, object, ...rest }) => {
    const data = { self, oldSelf, object };
    const fields = Object.entries(data).flatMap(([key, json]) =>
      json === undefined ? [] : [`${JSON.stringify(key)}:${json}`],
    );
    return `{${[JSON.stringify(rest).slice(1, -1), ...fields].join(',')}}`;
  });
  const { cases: answers = [] } = await askJudge(`{"cases":[${rendered.join(',')}]}`);
  return Object.fromEntries(answers.map(({ name, ...answer }) => [name, answer]));
}

export async function judgeRegexps(regexps: readonly RegexCase[]): Promise<readonly RegexAnswer[]> {
  return (await askJudge(JSON.stringify({ regexps }))).regexps ?? [];
}

interface Reply {
  readonly cases?: readonly (CelAnswer & { readonly name: string })[];
  readonly regexps?: readonly RegexAnswer[];
}

async function askJudge(question: string): Promise<Reply> {
  const child = spawn(requirePeer('cel-judge'), {
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
  const [answer, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`cel-judge ended with ${code}`);
  return JSON.parse(answer) as Reply;
}
