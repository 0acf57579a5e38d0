/** Programs come with the token of a service account, and may do what was granted to it. */
import type { Scenario, Stage, Step } from '../../scenario.ts';
import { manifest } from '../script.ts';
import { eventually } from './eventually.ts';

const ROBOT = 'system:serviceaccount:NAMESPACE:robot';
const createRobot: Step = {
  run: 'create serviceaccount robot',
  stdout: 'serviceaccount/robot created',
};
const as = '--kubeconfig=robot.kubeconfig';

/** Makes robot.kubeconfig beside the kubectl: the server and its CA as the administrator knows them. */
async function login({ step }: Stage, token: string): Promise<void> {
  const cluster = 'jsonpath={.clusters[0].cluster';
  const view = ['config', 'view', '--raw', '--minify', '-o'];
  const server = await step({ run: [...view, `${cluster}.server}`], stdout: /^https:/ });
  const ca = await step({
    run: [...view, `${cluster}.certificate-authority-data}`],
    stdout: /^\S+$/,
  });
  const settings = {
    'clusters.up.server': server.stdout,
    'clusters.up.certificate-authority-data': ca.stdout,
    'users.robot.token': token,
    'contexts.robot.cluster': 'up',
    'contexts.robot.user': 'robot',
    'current-context': 'robot',
  };
  for (const [name, value] of Object.entries(settings)) {
    await step({ run: ['config', 'set', name, value, as], stdout: / (?:set|modified)\.$/m });
  }
}

/** As upstream, a server remembers for ten seconds that a token was good. */
const FORGOTTEN_MS = 2000;

const FORBIDDEN = `Error from server (Forbidden): configmaps is forbidden: User "${ROBOT}" cannot list resource "configmaps" in API group "" in the namespace "NAMESPACE"`;

/** The permissions of a token, from its first grant to the deletion of its account. */
async function useToken(stage: Stage, token: string): Promise<void> {
  const { step } = stage;
  await login(stage, token);
  await step({ run: `get cm ${as}`, code: 1, stdout: '', stderr: FORBIDDEN });
  await step({ run: `auth can-i list cm ${as}`, code: 1, stdout: 'no' });
  await step({
    run: 'create rolebinding robot --clusterrole=view --serviceaccount=NAMESPACE:robot',
    stdout: 'rolebinding.rbac.authorization.k8s.io/robot created',
  });
  await eventually(stage, { run: `auth can-i list cm ${as}`, stdout: 'yes' });
  await step({
    run: `get cm ${as} -o name`,
    stdout: 'configmap/kube-root-ca.crt',
  });
  await step({
    run: `auth can-i --list ${as}`,
    stdout: [
      /^Resources +Non-Resource URLs +Resource Names +Verbs\n/,
      /^configmaps +\[\] +\[\] +\[get list watch\]$/m,
      /^ +\[\/version\] +\[\] +\[get\]$/m,
    ],
  });
  await step({ run: `auth can-i list secrets ${as}`, code: 1, stdout: 'no' });
  await step({ run: `auth can-i list cm -A ${as}`, code: 1, stdout: 'no' });
  await step({
    run: 'delete serviceaccount robot',
    stdout: /^serviceaccount "robot" deleted/,
  });
  const refused: Step = {
    run: `get cm ${as} -o name`,
    code: 1,
    stdout: '',
    stderr: /^error: You must be logged in to the server \(Unauthorized\)/m,
  };
  await eventually(stage, refused, FORGOTTEN_MS);
}

export const serviceAccountTokens: readonly Scenario[] = [
  {
    name: 'a token of kubectl create token',
    since: ['1.24', 'create token'],
    play: async (stage) => {
      await stage.step(createRobot);
      const token = await stage.step({
        run: 'create token robot --duration=1h',
        stdout: /^eyJ[\w-]+\.[\w-]+\.[\w-]+\n?$/,
      });
      await useToken(stage, token.stdout.trim());
    },
  },
  {
    name: 'a token in a Secret',
    play: async (stage) => {
      await stage.step(createRobot);
      await stage.step({
        run: 'create -f -',
        input: manifest('Secret', {
          type: 'kubernetes.io/service-account-token',
          metadata: { annotations: { 'kubernetes.io/service-account.name': 'robot' } },
        }),
        stdout: 'secret/one created',
      });
      const template = '{{.data.token | base64decode}}';
      const read: Step = {
        run: ['get', 'secret', 'one', '-o', `go-template=${template}`],
        stdout: /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/,
      };
      await eventually(stage, read);
      const token = await stage.step(read);
      await stage.step({
        run: 'describe secret one',
        stdout: [
          /^Type: +kubernetes\.io\/service-account-token$/m,
          /^ca\.crt: +\d+ bytes$/m,
          /^namespace: +\d+ bytes$/m,
          /^token: +eyJ/m,
        ],
      });
      await useToken(stage, token.stdout);
    },
  },
];
