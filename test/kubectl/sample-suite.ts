/** kubectl of several releases against the shipped sample server, as a person uses it. */
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
import { applying } from './applying.ts';
import { deleting } from './deleting.ts';
import { discovering } from './discovering.ts';
import { patching } from './patching.ts';
import { type Cast, knows, play } from './play.ts';
import { reading } from './reading.ts';
import { serverSide } from './server-side.ts';
import { watching } from './watching.ts';
import { writing } from './writing.ts';

const root = join(import.meta.dirname, '..', '..');
const scenarios = [
  ...discovering,
  ...reading,
  ...watching,
  ...writing,
  ...patching,
  ...applying,
  ...serverSide,
  ...deleting,
];

/** Most of a run is kubectl computing; a few wait, and let others. */
const CONCURRENCY = 4;

/** The behaviour of these releases of kubectl. */
export function sampleSuite(versions: readonly Kubectl[]): void {
  describe('kubectl', { concurrency: CONCURRENCY }, () => {
    const scope = createScope('kubectl');
    let kubeconfig: string;
    let client: Client;
    let caches: string;
    before(async () => {
      const directory = await temporaryDirectory(scope, 'wardle-');
      kubeconfig = join(directory, 'admin.kubeconfig');
      caches = await temporaryDirectory(scope, 'kubectl-caches-');
      await startProcess(scope, {
        name: 'wardle-apiserver',
        ...runSource(join(root, 'samples/wardle/src/main.ts'), [
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
    const provide: Cast['provide'] = async (namespace, flunder) => {
      const [group = '', version = ''] = flunder.apiVersion.split('/');
      const flunders = client.resource({ group, version, plural: 'flunders', namespaced: true });
      await flunders.in(namespace).create(flunder);
    };

    for (const [index, scenario] of scenarios.entries()) {
      for (const kubectl of versions.filter((one) => knows(one, scenario))) {
        test(`${kubectl.version}: ${scenario.name}`, async (t) => {
          const namespace = `v${kubectl.version.replaceAll('.', '-')}-${index}`;
          // A scenario about discovery reads it anew; to the others the server has the same as to those before.
          const cacheDir = discovering.includes(scenario)
            ? undefined
            : join(caches, kubectl.version);
          await play(t, scenario, { kubectl, kubeconfig, namespace, provide, cacheDir });
        });
      }
    }
  });
}
