/** Records what the real server says of every scenario. */
import { createScope } from '../../../test/harness/index.ts';
import { startReferenceStack } from '../../stack.ts';
import { askServer } from './ask-server.ts';
import { writeRecordedVerdicts } from './recorded-verdicts.ts';

export async function recordVerdicts(): Promise<string> {
  const scope = createScope('rules');
  const stack = await startReferenceStack({ scope });
  try {
    const verdicts = await askServer(stack.kubeApiserver);
    const version = stack.versions.kubeApiserver;
    const file = writeRecordedVerdicts({ program: 'kube-apiserver', version, ...verdicts });
    const count = Object.keys(verdicts.scenarios).length + Object.keys(verdicts.problems).length;
    return `${count} verdicts of kube-apiserver ${version}: ${file}`;
  } finally {
    await stack.stop();
    await scope.close();
  }
}
