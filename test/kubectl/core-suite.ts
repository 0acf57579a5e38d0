/**
 * kubectl, unmodified, and `tributary up`: what every release says must be what it says to the real
 * kube-apiserver (recorded in core/fixtures), and what only a control plane with controllers does is spelled out.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, createClient, loadConfig } from '@tributary/client';
import {
  createScope,
  type Kubectl,
  logShows,
  runSource,
  startProcess,
  temporaryDirectory,
} from '../harness/index.ts';
import { compareScript } from './core/compare-script.ts';
import { provideNamespace } from './core/provide-namespace.ts';
import { readRecording, releaseOf, responseFor } from './core/recordings.ts';
import { namespaceOf } from './core/run-script.ts';
import { coreScenarios } from './core/scenarios/index.ts';
import type { Script } from './core/script.ts';
import { scripts } from './core/scripts/index.ts';
import { knows, play } from './play.ts';
import type { Scenario } from './scenario.ts';

const root = join(import.meta.dirname, '..', '..');
/** To the same few people, and they list what they may do: one at a time, whichever release plays it. */
const GIVES_RIGHTS: ReadonlySet<string> = new Set(['access', 'rbac']);

/** Most of a run is kubectl computing; a few wait, and let others. */
const CONCURRENCY = 4;

export interface CorePlan {
  readonly scripts: readonly Script[];
  readonly scenarios: readonly Scenario[];
}

/** The output and effects of these releases of kubectl. */
export async function coreSuite(
  versions: readonly Kubectl[],
  plan: CorePlan = { scripts, scenarios: coreScenarios },
): Promise<void> {
  /** The output of other releases with the original is not recorded; all releases run the scenarios. */
  const recorded = await recordedReleases(versions);
  const checked = versions.filter(({ version }) => recorded.has(releaseOf(version)));

  describe('kubectl and the control plane', { concurrency: CONCURRENCY }, () => {
    const scope = createScope('kubectl and the control plane');
    let kubeconfig: string;
    let client: Client;
    let caches: string;
    /** The control plane serves the same to all of them: what one release has discovered, it knows. */
    const cacheOf = ({ version }: Kubectl): string => join(caches, version);
    before(async () => {
      const directory = await temporaryDirectory(scope, 'up-');
      kubeconfig = join(directory, 'admin.kubeconfig');
      caches = await temporaryDirectory(scope, 'kubectl-caches-');
      await startProcess(scope, {
        name: 'tributary up',
        ...runSource(join(root, 'packages/cli/src/main.ts'), [
          'up',
          '--allow-loopback-endpoints=false', // as the original
          '--secure-port=0',
          `--data-dir=${directory}`,
        ]),
        ready: logShows(/is ready at/),
      });
      client = createClient(await loadConfig({ kubeconfig }));
    });
    after(async () => {
      await client?.close();
      await scope.close();
    });

    test('some kubectl is at hand that was recorded', (t) => {
      const others = versions.filter((one) => !checked.includes(one)).map(({ version }) => version);
      if (others.length > 0) t.diagnostic(`not recorded: ${others.join(', ')}`);
      assert.ok(checked.length > 0 || versions.length === 0);
    });

    const turns = new Map<string, Promise<unknown>>();
    for (const kubectl of checked) {
      for (const script of plan.scripts) {
        test(`${kubectl.version} says the same about ${script.name}`, async (t) => {
          const turn = GIVES_RIGHTS.has(script.name) ? 'rights' : script.name;
          const before = turns.get(turn);
          const { promise: played, resolve } = Promise.withResolvers<void>();
          turns.set(turn, played);
          try {
            await before;
            const namespace = namespaceOf(script, kubectl);
            const recording = await readRecording(script.name);
            await provideNamespace(client, namespace);
            const cacheDir = script.name === 'discovery' ? undefined : cacheOf(kubectl);
            const player = { kubectl, kubeconfig, namespace, cacheDir };
            const { compared, differences } = await compareScript(t, { script, recording }, player);
            assert.ok(compared > 0);
            assert.ok(
              differences.length === 0,
              `${differences.length} of ${compared}:\n${differences.join('\n\n')}`,
            );
          } finally {
            resolve();
          }
        });
      }
    }

    for (const [index, scenario] of plan.scenarios.entries()) {
      for (const kubectl of versions.filter((one) => knows(one, scenario))) {
        test(`${kubectl.version}: ${scenario.name}`, async (t) => {
          const namespace = `v${kubectl.version.replaceAll('.', '-')}-${index}`;
          await provideNamespace(client, namespace);
          const provide = (): never => assert.fail('nothing is given in a core');
          const cast = { kubectl, kubeconfig, namespace, provide, cacheDir: cacheOf(kubectl) };
          await play(t, scenario, cast);
        });
      }
    }
  });
}

async function recordedReleases(versions: readonly Kubectl[]): Promise<ReadonlySet<string>> {
  const recordings = await Promise.all(scripts.map(({ name }) => readRecording(name)));
  const releases = versions.map(({ version }) => releaseOf(version));
  return new Set(
    releases.filter((release) => recordings.flat().some((step) => responseFor(step, release))),
  );
}
