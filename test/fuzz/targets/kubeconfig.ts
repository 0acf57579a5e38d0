/** Kubeconfigs, which users are sent by others. Nothing in them is run or connected to. */
import { KubeconfigError, parseKubeconfig } from '@tributary/client';
import { errorsOf, type FuzzTarget } from '../target.ts';

export const kubeconfigTarget: FuzzTarget = {
  name: 'kubeconfigs',
  corpus: 'kubeconfigs',
  // biome-ignore format: a list of pieces reads better in few lines
  tokens: [
    'clusters:', 'users:', 'contexts:', 'current-context: ', '- name: ', 'cluster: ', 'user: ', 'context: ', 'server: https://a', 'server: http://a:b', 'server: unix:/x',
    'insecure-skip-tls-verify: true', 'certificate-authority-data: AAAA', 'tls-server-name: x', 'proxy-url: socks5://x', 'token: x', 'username: x', 'password: y',
    'client-certificate-data: ', 'client-key-data: ', 'exec: ', 'command: x', 'apiVersion: client.authentication.k8s.io/v1', 'interactiveMode: Never', 'auth-provider: ',
    'as: x', 'as-groups: ', 'as-user-extra: ', 'namespace: x', '{', '}', '[', ']', 'null', '1', 'true', '~', '&a ', '*a', '<<: ', '!!js/function x', '!!binary ', '\n', '  ', '- ', '"', '__proto__: ',
  ],
  async run(input) {
    const { server, identity } = await parseKubeconfig(input.toString(), { file: 'config' });
    return `${server.slice(0, 6)} ${Object.keys(identity).join()}`;
  },
  refuses: errorsOf(KubeconfigError),
};
