/** The checker against aggregators with a fault: it must object to each, and to the one without a fault never. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Program } from '../faults/target.ts';
import { runSource, seededRandom, suiteScope, temporaryDirectory } from '../harness/index.ts';
import { assertConverged } from './assert-converged.ts';
import { startBehindUpSite } from './behind-up-site.ts';
import { describeViolations, type Rule } from './checker.ts';
import type { LifeChanges } from './cutting-proxy.ts';
import type { FollowerKind } from './follower.ts';
import { gatewayMutants } from './gateway-mutants.ts';
import { runInformers } from './run.ts';
import { describeRun, type FollowerResult, type RunResult } from './run-result.ts';
import type { Site } from './site.ts';

export interface MutantSuiteOptions {
  readonly followers: readonly FollowerKind[];
  readonly changes: number;
  readonly connectionLife: LifeChanges;
  /** How long an informer behind a fault is waited for. */
  readonly quietMs: number;
}

const BEHIND = 'through tributary up';
const MUTANT_GATEWAY = join(import.meta.dirname, 'mutant-gateway.ts');

export function mutantSuite(options: MutantSuiteOptions): void {
  describe('what passes an aggregator', () => {
    const scope = suiteScope('aggregators with a fault');
    let faultFile: string;
    let site: Site;
    before(async () => {
      faultFile = join(await temporaryDirectory(scope, 'fault-'), 'fault');
      await writeFile(faultFile, 'none');
      site = await startBehindUpSite(scope, { replacement: faulty(faultFile) });
    });
    for (const { name, rules } of gatewayMutants) {
      test(`an aggregator with the fault: ${name}`, async (t) => {
        await writeFile(faultFile, name);
        const { seed } = seededRandom(t);
        const kills = rules.length === 0 ? site.victims.length : 0;
        const faulty =
          rules.length === 0 ? undefined : { entrance: BEHIND, quietMs: options.quietMs };
        const cutsMin = rules.length === 0 ? 1 : 0;
        const result = await runInformers(t, { ...options, site, seed, cutsMin, kills, faulty });
        t.diagnostic(describeRun(result));
        if (rules.length === 0) assertConverged(result, { cutsMin: 1 });
        else t.diagnostic(`found out by ${assertFoundOut(result, rules).join('; ')}`);
      });
    }
  });
}

/** By informers behind the aggregator, and by no others. Returns their names. */
function assertFoundOut({ followers }: RunResult, rules: readonly Rule[]): string[] {
  const isBehind = ({ name }: FollowerResult): boolean => name.endsWith(BEHIND);
  for (const { name, violations } of followers.filter((follower) => !isBehind(follower))) {
    assert.ok(violations.length === 0, `${name}\n${describeViolations(violations)}`);
  }
  const found = followers.filter(isBehind).filter(seesIt(rules));
  assert.ok(found.length > 0, 'nobody saw anything wrong');
  return found.map(({ name }) => name);
}

/** It breaks a rule that shows this fault, says so itself, or takes what it hears for so wrong that it lists again. */
function seesIt(rules: readonly Rule[]): (follower: FollowerResult) => boolean {
  return ({ violations, complaints, calmRelists }) =>
    violations.some(({ rule }) => rules.includes(rule)) || complaints.length > 0 || calmRelists > 0;
}

function faulty(faultFile: string): (program: Program) => Program {
  return ({ args, env }) => {
    const words = args.slice(args.indexOf('up'));
    return {
      ...runSource(MUTANT_GATEWAY, words),
      env: { ...env, GATEWAY_FAULT_FILE: faultFile },
    };
  };
}
