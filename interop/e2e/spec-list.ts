/** The list of upstream's specs that need no running node, and what became of each: `specs.json`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, environments } from './environments.ts';
import type { SpecResult } from './run-specs.ts';

export type Outcome = 'passed' | 'failed';

export interface Spec {
  readonly name: string;
  /** The least environment in which it passes on the original. */
  readonly reference: Exclude<Environment, 'alone'>;
  /** Our result; absent before the first run. */
  readonly ours: Readonly<Partial<Record<Environment, Outcome>>>;
  /** Why it does not pass everywhere. */
  readonly reason?: string;
}

export interface SpecList {
  /** Of the suite and of the original that judged. */
  readonly release: string;
  readonly specs: readonly Spec[];
}

const FILE = join(import.meta.dirname, 'specs.json');

export function readSpecList(): SpecList {
  return JSON.parse(readFileSync(FILE, 'utf8')) as SpecList;
}

export function writeSpecList(list: SpecList): void {
  const specs = list.specs.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify({ ...list, specs }, undefined, 2)}\n`);
}

/** Specs that need Node objects run only where there are some; all others run everywhere. */
export function specsOf(list: SpecList, environment: Environment): string[] {
  return list.specs
    .filter(({ reference }) =>
      environment === 'nodes' ? reference === 'nodes' : reference === 'controllers',
    )
    .map(({ name }) => name);
}

export interface Comparison {
  /** Passed before and did not now, with the message of the failure. */
  readonly lost: readonly { readonly name: string; readonly message: string }[];
  readonly gained: readonly string[];
  readonly passed: number;
  readonly total: number;
}

export function compareResults(
  list: SpecList,
  environment: Environment,
  { specs, results }: { specs: readonly string[]; results: readonly SpecResult[] },
): Comparison {
  const byName = new Map(results.map((result) => [result.name, result]));
  const recorded = new Map(list.specs.map(({ name, ours }) => [name, ours[environment]]));
  const hasPassed = (name: string): boolean => byName.get(name)?.state === 'passed';
  return {
    lost: specs
      .filter((name) => recorded.get(name) === 'passed' && !hasPassed(name))
      .map((name) => ({
        name,
        message: byName.get(name)?.message ?? 'the suite has no such spec',
      })),
    gained: specs.filter((name) => recorded.get(name) !== 'passed' && hasPassed(name)),
    passed: specs.filter(hasPassed).length,
    total: specs.length,
  };
}

/** The list with the results of a run on ours. */
export function withResults(
  list: SpecList,
  environment: Environment,
  results: readonly SpecResult[],
): SpecList {
  const byName = new Map(results.map((result) => [result.name, result]));
  const specs = list.specs.map((spec) => {
    const result = byName.get(spec.name);
    if (result === undefined) return spec;
    const outcome: Outcome = result.state === 'passed' ? 'passed' : 'failed';
    return withReason({ ...spec, ours: { ...spec.ours, [environment]: outcome } }, result);
  });
  return { ...list, specs };
}

/** A reason goes when the spec passes everywhere; a new failure brings the first line of its message. */
function withReason({ reason, ...spec }: Spec, { message }: SpecResult): Spec {
  const hasFailed = environments.some((environment) => spec.ours[environment] === 'failed');
  if (!hasFailed) return spec;
  return { ...spec, reason: reason ?? firstLine(message) };
}

/** The list of a release: what passed on the original of the specs that were judged, and what was known of all others. */
export function listOf(
  release: string,
  { checked, controllers, nodes }: Expected,
  before: SpecList,
): SpecList {
  const known = new Map(before.specs.map((spec) => [spec.name, spec]));
  const specOf = (name: string, reference: Spec['reference']): Spec => ({
    ours: {},
    ...known.get(name),
    name,
    reference,
  });
  const others = new Set(known.keys()).difference(new Set(checked));
  return {
    release,
    specs: [
      ...before.specs.filter(({ name }) => others.has(name)),
      ...controllers.map((name) => specOf(name, 'controllers')),
      ...nodes.map((name) => specOf(name, 'nodes')),
    ],
  };
}

/** Names of the specs that ran on the original, and of those that passed there, each in one environment. */
export interface Expected extends Readonly<Record<Spec['reference'], readonly string[]>> {
  readonly checked: readonly string[];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
