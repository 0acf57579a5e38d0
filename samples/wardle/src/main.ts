import { runServer } from '@tributary/server';
import { wardle } from './api.ts';

process.exitCode = await runServer(wardle, {
  program: 'wardle-apiserver',
  summary: 'The wardle sample: an API server for Flunders and Fischers.',
  args: process.argv.slice(2),
  onReady: ({ kubeconfig }) => [
    `Its kubeconfig is ${kubeconfig}. Try:`,
    `  kubectl --kubeconfig ${kubeconfig} api-resources`,
    `  kubectl --kubeconfig ${kubeconfig} create -f samples/wardle/manifests/flunder.yaml`,
    `  kubectl --kubeconfig ${kubeconfig} get flunders`,
  ],
});
