/** Asks the real kube-apiserver every script with every kubectl at hand, and keeps what they say. */
import { createClient, loadConfig } from '@tributary/client';
import { startReferenceStack } from '../../../interop/stack.ts';
import { createScope, kubectlVersions } from '../../harness/index.ts';
import { provideNamespace } from './provide-namespace.ts';
import { addResponse, type RecordedStep, releaseOf, writeRecording } from './recordings.ts';
import { namespaceOf, runScript } from './run-script.ts';
import { commandOf } from './script.ts';
import { scripts } from './scripts/index.ts';

/** Without arguments all scripts; otherwise those whose names are given. */
const chosen = process.argv.slice(2);
const scope = createScope('record kubectl');
const stack = await startReferenceStack({ scope });
const kubeconfig = stack.kubeApiserver.adminKubeconfig;
const client = createClient(await loadConfig({ kubeconfig }));
try {
  for (const script of scripts) {
    if (chosen.length > 0 && !chosen.includes(script.name)) continue;
    const recorded = new Map(
      script.steps.map((step): [object, RecordedStep] => [
        step,
        { run: commandOf(step), responses: [] },
      ]),
    );
    for (const kubectl of await kubectlVersions()) {
      const namespace = namespaceOf(script, kubectl);
      await provideNamespace(client, namespace);
      for await (const { step, said } of runScript(scope, script, {
        kubectl,
        kubeconfig,
        namespace,
      })) {
        const into = recorded.get(step);
        if (into) addResponse(into, releaseOf(kubectl.version), said);
      }
    }
    await writeRecording(script.name, [...recorded.values()]);
    console.log(`${script.name}: ${script.steps.length} steps`);
  }
} finally {
  await client.close();
  await stack.stop();
  await scope.close();
}
