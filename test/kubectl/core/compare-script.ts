/** Plays a script to a server and holds what is said against what was said to the real kube-apiserver. */
import assert from 'node:assert/strict';
import type { TestScope } from '../../harness/index.ts';
import { type RecordedStep, releaseOf, responseFor } from './recordings.ts';
import { type Player, runScript } from './run-script.ts';
import { commandOf, type Script } from './script.ts';

export interface Comparison {
  compared: number;
  /** One for each step that differs: later steps may be the reason why an earlier one matters. */
  differences: string[];
}

export async function compareScript(
  t: TestScope,
  { script, recording }: { script: Script; recording: readonly RecordedStep[] },
  player: Player,
): Promise<Comparison> {
  const release = releaseOf(player.kubectl.version);
  const comparison: Comparison = { compared: 0, differences: [] };
  for await (const { step, said } of runScript(t, script, player)) {
    const recorded = recording[script.steps.indexOf(step)];
    const command = commandOf(step);
    const wanted = recorded?.run === command ? responseFor(recorded, release) : undefined;
    assert.ok(wanted, `"${command}" is not recorded for ${release}; run: npm run record:kubectl`);
    comparison.compared += 1;
    try {
      assert.deepEqual(said, wanted.said);
    } catch (error) {
      comparison.differences.push(`kubectl ${command}\n${(error as Error).message}`);
    }
  }
  return comparison;
}
